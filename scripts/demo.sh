#!/bin/sh
# The main job, on real machines on this computer: they boot, their cluster file is checked, they answer over SSH, become a
# cluster, its nodes are shown, all of it goes again.
# Everything comes from a mirror on this computer, which is built on first use: minutes from $KUBEXM_LAB_SEED, else a quarter of an hour.
set -eu
kubexm=$(dirname "$0")/../bin/kubexm
lab=demo
mirror=${KUBEXM_LAB_MIRROR:-${KUBEXM_HOME:-$HOME/.kubexm}/mirror}
port=${KUBEXM_DEMO_PORT:-5090}
start=$(date +%s)
serving=
end() {
  [ -z "$serving" ] || kill "$serving" 2>/dev/null || true
  "$kubexm" lab down --name $lab >/dev/null 2>&1 || true
}
trap end EXIT INT TERM

say() { printf '\n\033[1m$ kubexm %s\033[0m\n' "$*"; }
try() { say "$*"; "$kubexm" "$@"; }

try lab mirror build --versions 1.36.3 --dir "$mirror" \
  --components kubernetes,containerd,runc,cni-plugins,crictl,etcd,coredns,pause,flannel
"$kubexm" lab mirror serve --dir "$mirror" --listen 127.0.0.1:"$port" >/dev/null 2>&1 &
serving=$!

try lab up --name $lab --machines 3
file=${KUBEXM_HOME:-$HOME/.kubexm}/labs/$lab/cluster.yaml
work=${file%/*}
try validate cluster -f "$file"
try run command -f "$file" -- systemctl is-system-running
# What the mirror has, and where it is: a file for the real world needs none of this.
from_mirror() {
  "$kubexm" "$@" -f "$file" --workdir "$work" -e kubernetes.version=1.36.3 \
    -e kubernetes.containerRuntime.version=2.2.9 -e artifacts.checksums="$mirror/SHA256SUMS" \
    -e artifacts.mirror=http://127.0.0.1:"$port" -e artifacts.imageMirror=127.0.0.1:"$port" \
    -e "registry.auths={'127.0.0.1:$port': {plainHTTP: true}}" \
    -e 'artifacts.overrides={runc: {version: 1.1.5}, cni-plugins: {version: 1.9.1}, coredns: {version: 1.14.2}, etcd: {version: 3.6.16}, flannel: {version: 0.26.7}, flannel-cni-plugin: {version: 1.6.2-flannel1}}'
}

say create cluster -f "$file"
from_mirror create cluster --skip-preflight
say lab ssh node1 -- kubectl get nodes -o wide
"$kubexm" lab ssh node1 --name $lab -- kubectl --kubeconfig /etc/kubernetes/admin.conf get nodes -o wide
say delete cluster -f "$file" --yes
from_mirror delete cluster --yes
printf '\nDone in %s s.\n' $(($(date +%s) - start))

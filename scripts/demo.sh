#!/bin/sh
# The main job, on real machines on this computer: they boot, their cluster file is checked, they answer over SSH, they go.
set -eu
kubexm=$(dirname "$0")/../bin/kubexm
lab=demo
start=$(date +%s)
trap '$kubexm lab down --name $lab >/dev/null 2>&1 || true' EXIT INT TERM

say() { printf '\n\033[1m$ kubexm %s\033[0m\n' "$*"; }
try() { say "$*"; "$kubexm" "$@"; }

try lab up --name $lab --machines 3
file=${KUBEXM_HOME:-$HOME/.kubexm}/labs/$lab/cluster.yaml
try validate cluster -f "$file"
try run command -f "$file" -- systemctl is-system-running
try lab status --name $lab
try lab down --name $lab
printf '\nDone in %s s.\n' $(($(date +%s) - start))

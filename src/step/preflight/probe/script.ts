import { isNode } from '../../../common/host.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { etcdOn } from '../../../config/model/ports.ts';
import { sh, type Command } from '../../../runner/command.ts';
import type { Facts } from '../../../runner/facts.ts';
import { NFTABLES_TABLE } from '../../../template/nftables.ts';
import { forwardingSettings } from '../../host-requirements/kernel-settings.ts';
import { hasRole } from '../check.ts';
import { commandsFor } from '../commands.ts';
import { runtimeDataDir } from '../../../config/model/container-runtimes.ts';
import { virtualIpOf } from '../checks/virtual-ip.ts';
import { LEFTOVERS_SCRIPT } from './leftovers-script.ts';
import { listenerScript } from '../connectivity/listener.ts';
import { KERNEL_OPTIONS, modulesFor } from '../checks/kernel.ts';
import { namesToResolve } from '../checks/name-resolution.ts';

/** Collects everything that the checks need besides the facts, in one round trip. The last section starts the listener. */
export const probeScript = (cluster: Cluster, host: ClusterHost, facts: Facts): Command => {
  const etcd = etcdOn(cluster, host);
  const sections = [
    START,
    modules(cluster, host, facts),
    settings(cluster),
    commands(cluster, host, facts),
    SYSTEM,
    sh`at leftovers; etcd=${cluster.etcd.type === 'external' ? '' : cluster.etcd.dataDir}
${{ text: LEFTOVERS_SCRIPT, display: '' }}`.text,
    network(cluster, host),
    isNode(host) ? xfs(runtimeDataDir(cluster)) : '',
    etcd ? syncedWrites(etcd.dataDir) : '',
    listenerScript(cluster, host),
    'at end\nexit 0',
  ];
  return { text: sections.join('\n'), display: 'collect data for the preflight checks' };
};

const START = `exec 2>/dev/null
export LC_ALL=C
at() { printf '\\n== %s\\n' "$1"; }
may() { timeout "$@"; }`;

function modules(cluster: Cluster, host: ClusterHost, facts: Facts): string {
  if (!isNode(host)) return '';
  const wanted = modulesFor(cluster, facts).map(
    ({ name }) => sh`module ${name} ${KERNEL_OPTIONS[name] ?? name.toUpperCase()}`.text,
  );
  return ['at modules', MODULE, ...wanted].join('\n');
}

// Each source is read once: one process per module would take longer than the rest of the script.
const MODULE = String.raw`kernel=$(uname -r)
built=" $({ zcat /proc/config.gz || cat /boot/config-$kernel; } | sed -n 's/=y$//p' | tr '\n' ' ') "
inside=" $(sed 's#.*/##; s/\.ko.*//; s/-/_/g' /lib/modules/$kernel/modules.builtin | tr '\n' ' ') "
module() {
  if [ -d /sys/module/$1 ]; then s=loaded
  else case "$inside$built" in
    *" $1 "*|*" CONFIG_$2 "*) s=built-in ;;
    *) modinfo $1 >/dev/null && s=loadable || s=missing ;;
  esac; fi
  echo "$1 $s"
}`;

const settings = (cluster: Cluster) =>
  `at settings; for s in ${Object.keys(forwardingSettings(cluster)).join(' ')}; do
  v=$(cat "/proc/sys/$(echo $s | tr . /)") && echo "$s $v"
done`;

function commands(cluster: Cluster, host: ClusterHost, facts: Facts): string {
  const names = commandsFor(cluster, host, facts).map(({ name }) => name);
  return `at commands; for c in ${names.join(' ')}; do command -v $c >/dev/null && echo $c; done`;
}

const SYSTEM = `at nft; nft --version
at selinux; getenforce || cat /sys/fs/selinux/enforce
at firewalls
if may 5 systemctl is-active -q firewalld; then echo firewalld
elif may 5 ufw status | grep -q '^Status: active'; then echo ufw
elif may 5 nft list ruleset | grep -v KUBE | awk '/^table / {own=$3=="${NFTABLES_TABLE}"} own {next} /hook input/ {i=1} /policy drop/ && i {f=1} /^\\t}/ {i=0} i && /(^|[ \\t])(drop|reject)/ {f=1} END {exit !f}'; then echo nftables
elif may 5 iptables-save -t filter | grep -v KUBE | grep -Eq '^:INPUT DROP|^-A INPUT .*-j (DROP|REJECT)'; then echo iptables; fi
at time
may 5 chronyc -c tracking | grep -q ',Normal$' && echo yes || { [ -e /run/systemd/timesync/synchronized ] && echo yes; } || may 5 timedatectl | grep -i 'synchronized: yes'
at own-addresses; may 3 getent ahosts "$(uname -n)" | awk '{print $1}' | sort -u
at clusters; for d in /var/lib/kubexm/clusters/*/before; do [ -n "$(ls -A $d)" ] && d=\${d%/before} && echo \${d##*/}; done`;

/** Queries that may be slow run in parallel. */
function network(cluster: Cluster, host: ClusterHost): string {
  const vip = hasRole(host, 'master', 'loadbalancer') ? virtualIpOf(cluster) : undefined;
  return [
    'at resolv.conf; cat /etc/resolv.conf || echo absent',
    'at answers',
    RESOLVERS,
    vip === undefined ? '' : sh`vip=${vip} port=${cluster.endpoint.port}; ${{ text: VIP, display: '' }}`.text,
    'wait',
    names(cluster),
    vip === undefined ? '' : 'at neighbours; ip neigh show "$vip"',
  ].join('\n');
}

// Asks for the root name servers: every name server responds to that, even if only with an error.
const RESOLVERS = String.raw`for r in $(sed -n 's/^[ \t]*nameserver[ \t]*//p' /etc/resolv.conf | head -n 3); do
  may 2 bash -c 'exec 3<>"/dev/udp/$0/53"; printf "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01" >&3; dd bs=512 count=1 <&3 2>/dev/null | od -An -tx1 -N2 | grep -q "12 34"' "$r" && echo "resolver $r" &
done`;

const names = (cluster: Cluster) =>
  [
    'at names',
    ...namesToResolve(cluster).map((name) => sh`may 5 getent ahosts ${name} >/dev/null && echo ${name}`.text),
  ].join('\n');

const VIP = `{ ping -c 1 -W 1 "$vip" >/dev/null && echo 'vip pings'; } &
{ may 2 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$vip" "$port" && echo 'vip connects'; } &`;

const xfs = (folder: string) =>
  sh`at xfs
d=${folder}; while [ ! -d "$d" ]; do d=$(dirname "$d"); done
[ "$(stat -fc %T "$d")" != xfs ] || may 5 xfs_info "$d" | grep -o 'ftype=[01]'`.text;

/** Imitates writes to the etcd WAL: 2,300 bytes each, synced. The file is unlinked before the first write. */
const syncedWrites = (folder: string) =>
  sh`at synced-writes
d=${folder}; while [ ! -d "$d" ]; do d=$(dirname "$d"); done
if f=$(mktemp -p "$d" .kubexm-XXXXXX) && exec 4<>"$f" && rm -f "$f"; then
  fallocate -l 1M /dev/fd/4
  may 6 sh -c 'i=0; while [ $i -lt 200 ]; do dd if=/dev/zero of=/dev/fd/4 bs=2300 count=1 seek=$i conv=notrunc oflag=dsync; i=$((i + 1)); done' 2>&1 |
    sed -n 's/.*copied, \([^ ]*\) s.*/\1/p'
  exec 4>&-
fi`.text;

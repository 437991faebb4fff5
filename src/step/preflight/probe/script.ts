import { isNode } from '../../../common/host.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { etcdOn, heldPorts } from '../../../config/model/ports.ts';
import { sh, type Command } from '../../../runner/command.ts';
import type { Facts } from '../../../runner/facts.ts';
import { NFTABLES_TABLE } from '../../../template/nftables.ts';
import { forwardingSettings } from '../../host-requirements/kernel-settings.ts';
import { hasRole } from '../check.ts';
import { commandsFor } from '../commands.ts';
import { runtimeDataDir } from '../../../config/model/container-runtimes.ts';
import { virtualIpOf } from '../vip.ts';
import { LEFTOVER_SCRIPT } from './leftovers-script.ts';
import { PERL_LISTENER, PYTHON_LISTENER } from '../connectivity/listener.ts';
import { KERNEL_OPTIONS, modulesFor } from '../modules.ts';
import { namesToResolve } from '../names.ts';

/** Prints all that the checks ask beside the facts, in one round trip; the last section leaves a listener behind. */
export const probeScript = (cluster: Cluster, host: ClusterHost, facts: Facts): Command => {
  const etcd = etcdOn(cluster, host);
  const sections = [
    START,
    modules(cluster, host, facts),
    settings(cluster),
    words(
      'commands',
      commandsFor(cluster, host, facts).map(({ name }) => name),
    ),
    SYSTEM,
    sh`at leftovers; etcd=${cluster.etcd.type === 'external' ? '' : cluster.etcd.dataDir}
${{ text: LEFTOVER_SCRIPT, display: '' }}`.text,
    network(cluster, host),
    isNode(host) ? xfs(runtimeDataDir(cluster)) : '',
    etcd ? syncedWrites(etcd.dataDir) : '',
    listener(cluster, host),
    'at end\nexit 0',
  ];
  return { text: sections.join('\n'), display: 'look at what the checks ask' };
};

/** How long a listener waits for other hosts when nobody tells it to end. */
const lifeOf = ({ hosts }: Cluster) => Math.ceil(Math.max(...hosts.map(({ login }) => login.timeoutMs)) / 1000) + 30;

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

// One list for each source: a process for each module would cost more than all the rest.
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

const words = (section: string, names: readonly string[]) =>
  `at ${section}; for c in ${names.join(' ')}; do command -v $c >/dev/null && echo $c; done`;

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

/** What takes a while to answer is asked at the same time. */
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

// A question for the name servers of the root, which every name server answers in some way.
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

/** As etcd writes its log: some 2,300 bytes, synced. The file has no name any more when the first is written. */
const syncedWrites = (folder: string) =>
  sh`at synced-writes
d=${folder}; while [ ! -d "$d" ]; do d=$(dirname "$d"); done
if f=$(mktemp -p "$d" .kubexm-XXXXXX) && exec 4<>"$f" && rm -f "$f"; then
  fallocate -l 1M /dev/fd/4
  may 6 sh -c 'i=0; while [ $i -lt 200 ]; do dd if=/dev/zero of=/dev/fd/4 bs=2300 count=1 seek=$i conv=notrunc oflag=dsync; i=$((i + 1)); done' 2>&1 |
    sed -n 's/.*copied, \([^ ]*\) s.*/\1/p'
  exec 4>&-
fi`.text;

/** A perl without its modules says nothing; then python is asked. */
function listener(cluster: Cluster, host: ClusterHost): string {
  const ports = heldPorts(cluster, host).toSorted((one, other) => one.protocol.localeCompare(other.protocol));
  if (ports.length === 0) return '';
  const wanted =
    sh`${host.name} ${lifeOf(cluster)}`.text + ports.map(({ protocol, port }) => ` ${protocol}:${port}`).join('');
  return sh`at listener
${{ text: DISMISS, display: '' }}
set -- ${{ text: wanted, display: '' }}
program=perl; ports=$(may 20 perl -e ${PERL_LISTENER} "$@")
for p in python3 /usr/libexec/platform-python python python2; do
  [ -z "$ports" ] && command -v $p >/dev/null && { program=$p; ports=$(may 20 $p -c ${PYTHON_LISTENER} "$@"); }
done
echo "program $program"; echo "$ports"
${{ text: HOLDERS, display: '' }}`.text;
}

/** What an earlier check left, because it was killed or still waits, holds no port against this one. */
const DISMISS = `for p in /proc/[0-9]*; do
  read -r n <$p/comm && [ "$n" = kubexm-check ] && kill \${p#/proc/} && i=0 || continue
  while [ -d $p ] && [ $i -lt 30 ]; do sleep 0.1; i=$((i + 1)); done
done`;

/** Who holds a port that is taken, and the service it belongs to. */
const HOLDERS = String.raw`echo "$ports" | while read -r kind port state; do
  [ "$state" = taken ] && pid=$(ss -lnp -A $kind "sport = :$port" | sed -n 's/.*pid=\([0-9]*\).*/\1/p' | head -n 1) && [ -n "$pid" ] &&
    echo "holder $kind $port $pid $(cat /proc/$pid/comm) $(sed -n 's#.*/\([^/]*\.service\).*#\1#p' /proc/$pid/cgroup | head -n 1)"
done`;

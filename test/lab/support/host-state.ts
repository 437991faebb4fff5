import { scriptOn, type Machine } from '../../../src/lab/machine/machine.ts';
import { snapshot } from './snapshot.ts';

/**
 * Everything on a machine that a cluster may change, as lines: `snapshot` plus host name, time zone, resolver, packet filter
 * rules, interfaces, addresses, routes, ipsets, network namespaces, sockets, cgroups, directories of running programs, kernel
 * modules, package marks, timers, unit files and all network sysctls.
 */
export async function hostState(machine: Machine): Promise<readonly string[]> {
  const [base, extra] = await Promise.all([snapshot(machine), scriptOn(machine, SCRIPT)]);
  return [...base, ...extra.split('\n')];
}

/** Removes file modification times from a host state. */
export const withoutTimestamps = (state: readonly string[]): readonly string[] =>
  state.map((line) => line.replace(/( f \d+ \S+ \d+) \d+$/, '$1'));

// Excludes counters and values that the kernel or chrony changes on its own, routes of link-local addresses, which appear some
// seconds after an interface, state of systemd, package managers and kubexm, and the lock file that iptables creates.
const SCRIPT = String.raw`
echo "host name $(cat /proc/sys/kernel/hostname) $(cat /etc/hostname)"
echo "time zone $(readlink /etc/localtime) $(cat /etc/timezone) $(date +%Z)"
sed 's/^/resolver /' /etc/resolv.conf
nft -s list ruleset | sed 's/^/rule /'
for t in iptables ip6tables; do $t-legacy-save 2>/dev/null | sed -n "/^[^#]/s/ \[[0-9:]*\]//;/^[^#]/s/^/$t /p"; done
ip -o link | sed -E 's/^[0-9]+: ([^:@]+).*/link \1/' | sort
ip -o addr | awk '{print "address", $2, $3, $4}' | sort
{ ip -4 route show table all; ip -6 route show table all; } | sed -E '/^((local|anycast) )?fe80:/d; s/ expires [0-9]+sec//; s/^/route /' | sort
{ ip -4 rule; ip -6 rule; } | sed 's/^/routing rule /'
ipset list -n 2>/dev/null | sed 's/^/ipset /' | sort
ip netns list | awk '{print "network namespace", $1}' | sort
ss -Hlntu | awk '{print "socket", $1, $5}' | sort -u
ss -Hlx | awk '$5 ~ "^/" && $5 !~ "^(/var)?/run/(systemd|user|chrony)/" {print "socket", $5}' | sort -u
find /sys/fs/cgroup -type d -name 'kube*' | sort | sed 's/^/cgroup /'
find /run /var/lib /var/log /opt /usr/libexec /sys/fs/bpf -mindepth 1 -maxdepth 2 \
  \( -path /run/systemd -o -path /run/user -o -path /run/log -o -path /run/lock -o -path /run/sudo -o -path /run/kubexm\* -o -path /run/kubectl \
  -o -path /run/xtables.lock -o -path /var/lib/kubexm\* -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/lib/systemd -o -path '/var/lib/ucf/*.[0-9]' \
  -o -path /var/lib/chrony/chrony.drift -o -path /var/log/apt -o -path /var/log/journal -o -path /var/log/dpkg.log -o -path /var/log/alternatives.log \) -prune -o \
  -printf 'path %p %y %m %u:%g\n' | sort
awk '{print "module", $1}' /proc/modules | sort
apt-mark showauto | sed 's/^/dependency /'
apt-mark showmanual | sed 's/^/wanted /'
systemctl list-timers --all --no-legend --no-pager | grep -o '[^ ]*\.timer' | sort -u | sed 's/^/timer /'
systemctl list-unit-files --no-legend --no-pager | awk '{print "unit file", $1, $2}'
find /proc/sys/net -type f -perm -400 ! -name '*nf_conntrack_count' ! -name 'flush' ! -name 'stable_secret' ! -name 'dropped*' | sort |
  while read -r f; do echo "sysctl $f $(tr '\n\t' '  ' <"$f" 2>/dev/null)"; done
`;

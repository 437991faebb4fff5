import { scriptOn, type Machine } from '../../../src/lab/machine/machine.ts';
import { snapshot } from './snapshot.ts';

/**
 * Everything on a machine that preparing it for a cluster may change, as lines: `snapshot` plus host name, time zone,
 * resolver, nftables rules, kernel modules, package marks, timers, unit files and all network sysctls.
 */
export async function hostState(machine: Machine): Promise<readonly string[]> {
  const [base, extra] = await Promise.all([snapshot(machine), scriptOn(machine, SCRIPT)]);
  return [...base, ...extra.split('\n')];
}

/** Removes file modification times from a host state. */
export const withoutTimestamps = (state: readonly string[]): readonly string[] =>
  state.map((line) => line.replace(/( f \d+ \S+ \d+) \d+$/, '$1'));

// Excludes counters and values that the kernel changes on its own.
const SCRIPT = String.raw`
echo "host name $(cat /proc/sys/kernel/hostname) $(cat /etc/hostname)"
echo "time zone $(readlink /etc/localtime) $(cat /etc/timezone) $(date +%Z)"
sed 's/^/resolver /' /etc/resolv.conf
nft -s list ruleset | sed 's/^/rule /'
awk '{print "module", $1}' /proc/modules | sort
apt-mark showauto | sed 's/^/dependency /'
apt-mark showmanual | sed 's/^/wanted /'
systemctl list-timers --all --no-legend --no-pager | grep -o '[^ ]*\.timer' | sort -u | sed 's/^/timer /'
systemctl list-unit-files --no-legend --no-pager | awk '{print "unit file", $1, $2}'
find /proc/sys/net -type f -perm -400 ! -name '*nf_conntrack_count' ! -name 'flush' ! -name 'stable_secret' ! -name 'dropped*' | sort |
  while read -r f; do echo "sysctl $f $(tr '\n\t' '  ' <"$f" 2>/dev/null)"; done
`;

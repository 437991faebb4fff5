import { scriptOn, type Machine } from '../../../src/lab/machine/machine.ts';

/**
 * Everything on a machine that a step may change, as lines: files with mode, owner and checksum, packages, units,
 * sysctls, users, mounts. Enabled and masked units show up as links in /etc.
 */
export async function snapshot(machine: Machine): Promise<readonly string[]> {
  return (await scriptOn(machine, SCRIPT)).split('\n');
}

// Excludes files that change on their own, backups made by useradd, and kubexm's own state.
const SCRIPT = String.raw`
find /etc /usr/local /opt /srv /root /home /usr/bin /usr/sbin -xdev \
  -path /etc/kubexm-lab -prune -o \
  ! -name '*-' ! -name .pwd.lock ! -name ld.so.cache -type f ! -name passwd ! -name group ! -name shadow ! -name gshadow \
  -printf '%p f %m %u:%g %s %Ts\n' -o ! -name '*-' ! -name .pwd.lock ! -name ld.so.cache -printf '%p %y %m %u:%g %l\n' | sort
find /etc /usr/local /opt /srv /root -xdev -path /etc/kubexm-lab -prune -o -path /etc/ssl -prune -o -type f ! -name '*-' ! -name ld.so.cache \
  -print0 | sort -z | xargs -0 sha256sum
dpkg -l | awk '/^[a-z][a-zA-Z] / {print "package", $1, $2, $3}'
systemctl list-units --all --no-legend --plain --no-pager --type=service,socket,timer,mount | awk '$2 != "not-found" && $1 !~ /^(proc-sys-fs-binfmt_misc|run-|user|apt-|dpkg-|systemd-tmpfiles|systemd-hostnamed|systemd-timedated|logrotate|session|man-db|motd)/ {print "unit", $1, $2, $3}' | sort
find /proc/sys/net/ipv4 /proc/sys/vm /proc/sys/kernel -type f -name '*tcp_keepalive*' -o -name max_map_count -o -name ip_forward -o -name rp_filter | sort | while read -r f; do echo "sysctl $f $(cat "$f" 2>/dev/null)"; done
getent passwd; getent group
awk '$2 !~ /^\/run\/(credentials|user)|binfmt_misc/ {print "mount", $1, $2, $3, $4}' /proc/self/mounts | sort
`;

import { scriptOn, type Machine } from '../../../src/lab/machine/machine.ts';

/** The state of a machine, and the commands run on it since it was restored. */
export interface MachineState {
  readonly state: readonly string[];
  /** Files that kubexm keeps for itself. */
  readonly own: readonly string[];
  /** Every executed command, sorted, with repetitions. */
  readonly effects: readonly string[];
}

/** Wraps the programs that change a system, to log how they are called. */
export const watchMachine = (machine: Machine) =>
  scriptOn(
    machine,
    String.raw`export PATH=/usr/sbin:/usr/bin:/sbin:/bin
for name in mv ln tar useradd usermod userdel groupdel sysctl systemctl chmod chown mount umount; do
  real=$(command -v $name)
  printf '#!/bin/sh\necho "%s $*" >>/var/log/kx-effects\nexec %s "$@"\n' $name $real >/usr/local/sbin/$name
  chmod 755 /usr/local/sbin/$name
done`,
  );

/** Restores the machine to its original state. */
export const restoreMachine = (machine: Machine) => scriptOn(machine, RESTORE);

export async function stateOf(machine: Machine): Promise<MachineState> {
  const [state = '', effects = ''] = (await scriptOn(machine, STATE)).split('=== effects\n');
  const lines = state.split('\n').filter(Boolean);
  return {
    state: lines.filter((line) => !isOwn(line)),
    own: lines.filter((line) => isOwn(line) && !isAbandoned(line)),
    effects: effects.split('\n').filter(isEffect).toSorted(),
  };
}

const isOwn = (line: string) => /\/var\/lib\/kubexm\b(?!-)/.test(line);

/** The output folder of an interrupted lock renewal, which is removed after a week. */
const isAbandoned = (line: string) => /\/kubexm\/run\/[0-9a-f-]{36}/.test(line);

/** Excludes read-only commands and commands on kubexm's own files. */
const isEffect = (line: string) =>
  line !== '' &&
  !line.startsWith('ln .new.') &&
  !/\/(var\/lib|run)\/kubexm/.test(line) &&
  // Two steps may share one daemon-reload, so their number varies.
  !/^systemctl (-\S+ )*(show|is-|cat|list|reset-failed|daemon-reload)/.test(line) &&
  !/^tar (?!-x)/.test(line);

const RESTORE = String.raw`export PATH=/usr/sbin:/usr/bin:/sbin:/bin
ls /proc/sys/fs/binfmt_misc >/dev/null # mounted on first access
systemctl stop kx-new kx-web kx-stop kx-gone 2>/dev/null || true
systemctl disable -q kx-new kx-web kx-stop kx-gone 2>/dev/null || true
while umount /srv/kx-mount 2>/dev/null; do :; done
rm -rf /etc/kx* /srv/kx* /opt/kx* /etc/systemd/system/kx-* /etc/sysctl.d/9?-kx.conf /etc/modules-load.d/*kubexm* /var/lib/kubexm /run/kubexm
! id -u kx-user >/dev/null 2>&1 || userdel kx-user
usermod -s /usr/sbin/nologin games
if [ -e /root/fstab ]; then cp -a /root/fstab /etc/fstab; else cp -a /etc/fstab /root/fstab; fi
echo 7200 >/proc/sys/net/ipv4/tcp_keepalive_time; echo 75 >/proc/sys/net/ipv4/tcp_keepalive_intvl
printf 'old\n' >/etc/kx-old; chown 4242:daemon /etc/kx-old; chmod 4750 /etc/kx-old
ln -s /etc/hostname /etc/kx-link; ln -s /nowhere /etc/kx-dangling; ln -s v1 /opt/kx-current
printf '127.0.0.1 here\n10.0.0.9 other' >/etc/kx-hosts; chmod 640 /etc/kx-hosts
mkdir -p /srv/kx-dir /srv/kx-tree/b /opt/kx-x/bin; chmod 1777 /srv/kx-dir; chown 4242:4242 /srv/kx-dir; echo x >/srv/kx-dir/x
echo x >/srv/kx-tree/b/x; chmod 4711 /srv/kx-tree/b/x; chown 4242:adm /srv/kx-tree/b; ln -s nowhere /srv/kx-tree/l
echo old >/opt/kx-program; chmod 700 /opt/kx-program
mkdir -p /srv/kx-p/p-1/bin/deep; cd /srv/kx-p; echo new >p-1/bin/a; echo b >p-1/bin/deep/b; echo doc >p-1/README
tar --mtime=2020-01-01 --owner=1001 --group=1001 -czf /srv/kx-x.tgz p-1; rm -r /srv/kx-p
echo old >/opt/kx-x/bin/a; chmod 640 /opt/kx-x/bin/a; chown 4242:adm /opt/kx-x/bin/a; echo mine >/opt/kx-x/bin/mine
printf 'seconds=1\n' >/etc/kx-web.conf
for unit in kx-web kx-stop kx-gone; do
  printf '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n' >/etc/systemd/system/$unit.service
done
systemctl daemon-reload; systemctl enable -q --now kx-web kx-stop kx-gone
sync -f /etc
rm -f /run/kx-*
: >/var/log/kx-effects
`;

// Includes content, modes and owners, but no times, which differ between identical runs.
// Excludes rollback data: after a kill at the last record, it stays until the next successful run.
const STATE = String.raw`export PATH=/usr/sbin:/usr/bin:/sbin:/bin
kx() { find /etc /srv /opt /root /home /usr/local /var/lib -xdev -mindepth 1 \
  \( -path /etc/kubexm-lab -o -path /var/lib/kubexm/clusters/\*/lock -o -path /var/lib/kubexm/clusters/\*/keep -o -path /var/lib/systemd -o -path /var/lib/chrony -o -path /var/lib/private -o -name '*-' -o -name .pwd.lock -o -name shadow \) -prune -o "$@"; }
kx -printf '%p %y %m %u:%g %l\n' | sort
kx -type f \( -path '*kx*' -o -path '*kubexm*' -o -path '/etc/[^/]*' \) -size -300k -print0 | sort -z | xargs -0 sha256sum
systemctl list-units --all --no-legend --plain --no-pager 'kx-*' | awk '{print "unit", $1, $2, $3, $4}' | sort
echo sysctl $(cat /proc/sys/net/ipv4/tcp_keepalive_time /proc/sys/net/ipv4/tcp_keepalive_intvl)
getent passwd; getent group; grep kx /proc/self/mounts || true
echo "=== effects"
cat /var/log/kx-effects
`;

import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

/** Holds the dpkg and apt locks, like unattended-upgrades does. */
export const dpkgLock = defineFault({
  name: 'dpkg-lock',
  probe: `systemctl is-active --quiet kubexm-fault-dpkg-lock.service && echo dpkg-lock`,
  undo: 'systemctl stop kubexm-fault-dpkg-lock.service 2>/dev/null || true\n',
  async apply(machine) {
    await requireRunning(machine);
    await scriptOn(machine, HOLD);
  },
});

// dpkg uses fcntl locks, not flock; `pack` builds struct flock of 64-bit Linux.
const HOLD = String.raw`! systemctl is-active --quiet kubexm-fault-dpkg-lock.service || exit 0
cat >/run/kubexm-fault-dpkg-lock.pl <<'PERL'
use strict; use Fcntl;
my @held;
for my $path ('/var/lib/dpkg/lock-frontend', '/var/lib/dpkg/lock') {
  open my $file, '+>>', $path or die "$path: $!";
  my $lock = pack 's s x4 q q l x4', F_WRLCK, 0, 0, 0, 0;
  fcntl $file, F_SETLKW, $lock or die "$path: $!";
  push @held, $file;
}
system 'systemd-notify', '--ready';
sleep 3600 while 1;
PERL
systemd-run --collect --unit kubexm-fault-dpkg-lock.service --property Type=notify --property NotifyAccess=all \
  perl /run/kubexm-fault-dpkg-lock.pl
`;

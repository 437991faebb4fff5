import { createHash } from 'node:crypto';
import { INIT } from './init-script.ts';
import type { Mirror } from './apt-mirror.ts';

/** Everything that decides what is in the machine image. */
export interface Recipe {
  readonly suite: string;
  readonly packages: readonly string[];
  readonly mirror: Mirror;
  /** Files to write, by path. */
  readonly files: Readonly<Record<string, { readonly text: string; readonly mode: number }>>;
  /** Units that make no sense in a machine that shares its kernel. */
  readonly masked: readonly string[];
}

export const recipeFor = (mirror: Mirror): Recipe => ({
  suite: SUITE,
  packages: PACKAGES,
  mirror,
  files: {
    '/sbin/lab-init': { text: INIT, mode: 0o755 },
    '/etc/apt/sources.list': { text: sources(mirror), mode: 0o644 },
    '/etc/systemd/system/systemd-poweroff.service.d/lab.conf': { text: POWEROFF, mode: 0o644 },
    '/etc/systemd/system/chrony.service.d/lab.conf': { text: CHRONY_UNIT, mode: 0o644 },
    '/etc/default/chrony': { text: 'DAEMON_OPTS="-F 1 -x"\n', mode: 0o644 },
    '/etc/chrony/chrony.conf': { text: CHRONY_CONF, mode: 0o644 },
    '/etc/machine-id': { text: '', mode: 0o644 },
  },
  masked: MASKED,
});

/** The name of the image that a recipe makes. */
export function imageOf(recipe: Recipe): string {
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
  return `${IMAGE_REPOSITORY}:${hash}`;
}

export const IMAGE_REPOSITORY = 'localhost/kubexm-lab-machine';

export const SUITE = 'bookworm';

const sources = ({ debian, security }: Mirror) => `deb ${debian} ${SUITE} main
deb ${debian} ${SUITE}-updates main
deb ${security} ${SUITE}-security main
`;

// A machine that reboots ends with an error and is started again; one that powers off ends well and stays down.
const POWEROFF = `[Unit]
SuccessAction=exit-force
`;

// A machine cannot set the clock, and chronyd does without when told so (-x).
const CHRONY_UNIT = `[Unit]
ConditionCapability=
`;
const CHRONY_CONF = `# A lab machine shares the clock of the computer underneath, so it asks nobody for the time.
driftfile /var/lib/chrony/chrony.drift
local stratum 10
`;

const PACKAGES = words(`
  systemd systemd-sysv dbus openssh-server sudo iproute2 iptables nftables procps kmod socat conntrack ebtables ipset
  curl ca-certificates chrony iputils-ping e2fsprogs libseccomp2 libfaketime tcsh
`);

const MASKED = words(`
  systemd-udevd.service systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-udev-trigger.service
  systemd-modules-load.service systemd-remount-fs.service getty.target console-getty.service getty@tty1.service
  apt-daily.timer apt-daily-upgrade.timer apt-daily.service apt-daily-upgrade.service
  e2scrub_all.timer fstrim.timer dpkg-db-backup.timer
  sys-kernel-debug.mount sys-kernel-tracing.mount sys-fs-fuse-connections.mount dev-mqueue.mount dev-hugepages.mount
`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

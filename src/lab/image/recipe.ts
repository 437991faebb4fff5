import { createHash } from 'node:crypto';
import { INIT } from './init-script.ts';
import type { AptMirror } from './apt-mirror.ts';

/** The inputs of the machine image. The image tag is a hash of them, so any change rebuilds the image. */
export interface Recipe {
  readonly suite: string;
  readonly packages: readonly string[];
  readonly mirror: AptMirror;
  /** Files to write, by path. */
  readonly files: Readonly<Record<string, { readonly text: string; readonly mode: number }>>;
  /** systemd units to mask because they do not work, or are useless, in a container. */
  readonly masked: readonly string[];
}

export const recipeFor = (mirror: AptMirror): Recipe => ({
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

/** The image name for a recipe. */
export function imageOf(recipe: Recipe): string {
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
  return `${IMAGE_REPOSITORY}:${hash}`;
}

export const IMAGE_REPOSITORY = 'localhost/kubexm-lab-machine';

export const SUITE = 'bookworm';

const sources = ({ debian, security }: AptMirror) => `deb ${debian} ${SUITE} main
deb ${debian} ${SUITE}-updates main
deb ${security} ${SUITE}-security main
`;

// A reboot exits with an error and podman restarts the container; a poweroff exits with 0 and the machine stays down.
const POWEROFF = `[Unit]
SuccessAction=exit-force
`;

// Machines cannot set the clock. chronyd supports this (-x), but its unit requires the capability.
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

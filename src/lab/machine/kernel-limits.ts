import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { at, parseJson, text } from '../json.ts';
import { podman } from '../podman.ts';

/**
 * Raises the inotify limit of this computer: each systemd, kubelet and containerd of a machine needs instances.
 * Saves the original values, including IP forwarding, which podman turns on and never off.
 */
export async function raiseLimits(machines: number): Promise<void> {
  const original = { instances: await read(INSTANCES), forwarding: await read(FORWARDING) };
  // Only the first lab sees the original values; later labs must not overwrite them.
  await writeFile(ORIGINAL, JSON.stringify(original), { flag: 'wx' }).catch(() => {});
  const required = Math.max(1024, machines * 64);
  if (Number(original.instances) < required) await writeFile(INSTANCES, `${required}`);
}

/** Restores the values from before the first lab. */
export async function restoreLimits(): Promise<void> {
  const record = await readFile(ORIGINAL, 'utf8').catch(() => undefined);
  if (record === undefined) return;
  const original = parseJson(record);
  await writeFile(INSTANCES, text(at(original, 'instances')));
  if (text(at(original, 'forwarding')) === '0' && !(await forwardingInUse())) await writeFile(FORWARDING, '0');
  await rm(ORIGINAL, { force: true });
}

/** Whether containers outside of any lab need IP forwarding. */
async function forwardingInUse(): Promise<boolean> {
  const docker = await access('/sys/class/net/docker0').then(
    () => true,
    () => false,
  );
  return docker || (await podman(['ps', '--quiet'])) !== '';
}

const read = async (path: string) => (await readFile(path, 'utf8')).trim();

const INSTANCES = '/proc/sys/fs/inotify/max_user_instances';
const FORWARDING = '/proc/sys/net/ipv4/ip_forward';

// In /run, because a reboot resets the values themselves, too.
const ORIGINAL = '/run/kubexm-lab-limits';

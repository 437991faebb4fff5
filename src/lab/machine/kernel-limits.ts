import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { at, parseJson, text } from '../json.ts';
import { podman } from '../podman.ts';

/**
 * Lets this computer watch enough files for so many machines: each systemd, kubelet and containerd takes some.
 * Remembers that, and whether packets were forwarded, which podman switches on and never off.
 */
export async function raiseLimits(machines: number): Promise<void> {
  const before = { instances: await read(INSTANCES), forwarding: await read(FORWARDING) };
  // Only the first of several labs finds the values that were here before: the others must not overwrite them.
  await writeFile(BEFORE, JSON.stringify(before), { flag: 'wx' }).catch(() => {});
  const wanted = Math.max(1024, machines * 64);
  if (Number(before.instances) < wanted) await writeFile(INSTANCES, `${wanted}`);
}

/** Puts back what was so before the first lab. */
export async function restoreLimits(): Promise<void> {
  const record = await readFile(BEFORE, 'utf8').catch(() => undefined);
  if (record === undefined) return;
  const before = parseJson(record);
  await writeFile(INSTANCES, text(at(before, 'instances')));
  if (text(at(before, 'forwarding')) === '0' && !(await othersForward())) await writeFile(FORWARDING, '0');
  await rm(BEFORE, { force: true });
}

/** Other containers that came meanwhile need it as much as ours did. */
async function othersForward(): Promise<boolean> {
  const docker = await access('/sys/class/net/docker0').then(
    () => true,
    () => false,
  );
  return docker || (await podman(['ps', '--quiet'])) !== '';
}

const read = async (path: string) => (await readFile(path, 'utf8')).trim();

const INSTANCES = '/proc/sys/fs/inotify/max_user_instances';
const FORWARDING = '/proc/sys/net/ipv4/ip_forward';

// Where a boot of this computer forgets it, as it forgets the values themselves.
const BEFORE = '/run/kubexm-lab-limits';

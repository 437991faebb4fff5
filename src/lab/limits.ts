import { readFile, rm, writeFile } from 'node:fs/promises';

/** Lets this computer watch enough files for so many machines more; each systemd, kubelet and containerd takes some. */
export async function raiseLimits(machines: number): Promise<void> {
  const present = Number(await readFile(INSTANCES, 'utf8'));
  const wanted = Math.max(1024, machines * 64);
  if (present >= wanted) return;
  // Only the first of several labs finds the value that was here before: the others must not overwrite it.
  await writeFile(BEFORE, `${present}`, { flag: 'wx' }).catch(() => {});
  await writeFile(INSTANCES, `${wanted}`);
}

/** Puts the limit back as it was before the first lab. */
export async function restoreLimits(): Promise<void> {
  const before = await readFile(BEFORE, 'utf8').catch(() => undefined);
  if (before === undefined) return;
  await writeFile(INSTANCES, before);
  await rm(BEFORE, { force: true });
}

const INSTANCES = '/proc/sys/fs/inotify/max_user_instances';

// Where a boot of this computer forgets it, as it forgets the limit itself.
const BEFORE = '/run/kubexm-lab-inotify';

import { join } from 'node:path';
import { run } from '../../../src/lab/run.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { MIRROR } from '../built-mirror.ts';

const BUSYBOX = 'docker.io/library/busybox:1.37.0';

/** Imports the image of the test Pods on nodes. It is not part of a bundle. */
export async function importBusybox({ paths }: Lab, nodes: readonly string[]): Promise<void> {
  const archive = join(paths.folder, 'busybox.tar');
  await run([
    'sh',
    '-c',
    `[ -e ${archive} ] || skopeo copy -q oci:${MIRROR}/images:${BUSYBOX} oci-archive:${archive}:${BUSYBOX}`,
  ]);
  for (const node of nodes) {
    const command = `ssh -F ${paths.sshConfig} -o BatchMode=yes ${node} ctr -n k8s.io images import - <${archive}`;
    await run(['sh', '-c', command]);
  }
}

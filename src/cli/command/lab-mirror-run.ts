import { buildMirror, type Built } from '../../lab/mirror/build.ts';
import type { Component } from '../../lab/mirror/component.ts';
import { mirrorPaths } from '../../lab/mirror/paths.ts';
import type { Console } from '../console.ts';
import { megabytes } from '../format/lab-status.ts';
import { untilStopped } from '../until-stopped.ts';

/** Builds a mirror and tells what came of it, how long each part took, and what to paste next. */
export async function runMirrorBuild(
  folder: string,
  components: readonly Component[],
  console: Console,
): Promise<void> {
  const start = performance.now();
  const built = await untilStopped((signal) => buildMirror(folder, components, console.progress, signal));
  await console.table(['COMPONENT', 'VERSION', 'FROM', 'SECONDS', 'SIZE'], built.map(row));
  console.note(
    [
      '',
      `${built.length} components in ${((performance.now() - start) / 1000).toFixed(1)} s`,
      '',
      `Serve   kubexm lab mirror serve --dir ${folder}`,
      `Sums    ${mirrorPaths(folder).sums} (artifacts.checksums of a cluster file)`,
    ].join('\n'),
  );
}

const row = ({ name, version, from, seconds, files, blobs, present }: Built): readonly string[] => [
  name,
  version,
  from,
  present ? 'was there' : seconds.toFixed(1),
  megabytes(
    [...new Map([...files, ...blobs].map((one) => [one.sha256, one.size])).values()].reduce((a, b) => a + b, 0),
  ),
];

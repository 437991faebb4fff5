import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Progress } from '../../../../src/common/progress.ts';
import { buildMirror } from '../../../../src/lab/mirror/build.ts';
import type { Component } from '../../../../src/lab/mirror/component.ts';
import { mirrorPaths, type MirrorPaths } from '../../../../src/lab/mirror/paths.ts';
import { findProgram } from '../../../../src/lab/prerequisites.ts';
import { run } from '../../../../src/lab/run.ts';
import { skipUnless } from '../../../skip-unless.ts';
import { CONTENT, demoComponent, tempFolder, writeSeed } from './demo-component.ts';

const folder = await tempFolder();
const seed = join(folder, 'seed');
let mirror: string;
let paths: MirrorPaths;
const components = [demoComponent('v1.0.0'), demoComponent('v1.1.0')];
const needsSkopeo = skipUnless(await findProgram('skopeo'), 'skopeo is not installed');
const needsGcc = skipUnless(await findProgram('gcc'), 'gcc is not installed');

await writeSeed(seed, components);
process.env['KUBEXM_LAB_SEED'] = seed;
beforeEach(async () => {
  mirror = await mkdtemp(join(folder, 'mirror-'));
  paths = mirrorPaths(mirror);
});

const at = (path: string) => join(mirror, 'downloads.example.com/demo', path);

test('publishes files and checksum files under their upstream paths', async () => {
  const built = await buildMirror(mirror, components);
  expect(built).toMatchObject([
    { version: 'v1.0.0', from: 'seed', present: false },
    { version: 'v1.1.0', from: 'seed', present: false },
  ]);
  expect(await readFile(at('v1.0.0/demo'), 'utf8')).toBe(CONTENT);
  expect(await readFile(at('v1.0.0/demo.sha256'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
  await run(['sh', '-c', `cd ${at('v1.1.0')} && sha256sum --check demo.tar.gz.sha256sum`]);
  expect(await run(['tar', '-tzf', at('v1.1.0/demo.tar.gz')])).toBe('bin/\nbin/demo\nbin/helper\n');
  const checked = await run(['sh', '-c', `cd ${mirror} && sha256sum --check --strict --ignore-missing SHA256SUMS`]);
  expect(checked.trim().split('\n')).toHaveLength(8);
});

test('a second run rebuilds only missing components', async () => {
  await buildMirror(mirror, components);
  const before = await stat(at('v1.0.0/demo'));
  expect((await buildMirror(mirror, components)).map(({ present }) => present)).toEqual([true, true]);
  expect((await stat(at('v1.0.0/demo'))).ino).toBe(before.ino);
  await rm(at('v1.1.0/demo.tar.gz'));
  expect((await buildMirror(mirror, components)).map(({ present }) => present)).toEqual([true, false]);
  await run(['sh', '-c', `cd ${mirror} && sha256sum --check --ignore-missing SHA256SUMS`]);
});

test('builds are reproducible', async () => {
  await buildMirror(mirror, components);
  const checksums = await readFile(paths.checksums, 'utf8');
  const index = await readFile(join(paths.images, 'index.json'), 'utf8');
  await rm(mirror, { recursive: true });
  await buildMirror(mirror, components);
  expect(await readFile(paths.checksums, 'utf8')).toBe(checksums);
  expect(await readFile(join(paths.images, 'index.json'), 'utf8')).toBe(index);
});

test('a changed recipe rebuilds the component', async () => {
  await buildMirror(mirror, components);
  const [first, second] = components;
  const changed = { ...first!, files: first!.files.slice(1) };
  expect((await buildMirror(mirror, [changed, second!])).map(({ present }) => present)).toEqual([false, true]);
});

test('rejects a seed with a wrong checksum and records nothing', async () => {
  const bad = join(folder, 'bad');
  await writeSeed(bad, components);
  await writeFile(join(bad, 'SHA256SUMS'), (await readFile(join(bad, 'SHA256SUMS'), 'utf8')).replaceAll(/^./gm, 'x'));
  process.env['KUBEXM_LAB_SEED'] = bad;
  try {
    await expect(buildMirror(mirror, components)).rejects.toMatchObject({ code: 'LAB_SEED_WRONG' });
    await expect(stat(paths.records)).rejects.toThrow('ENOENT');
  } finally {
    process.env['KUBEXM_LAB_SEED'] = seed;
  }
});

test('an interrupted build is resumed by the next run', async () => {
  await buildMirror(mirror, components.slice(0, 1));
  const stop = new AbortController();
  const report = ({ detail }: { detail?: string }) => {
    if (detail?.startsWith('demo v1.1.0: writing')) stop.abort();
  };
  await expect(buildMirror(mirror, components, report, stop.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect((await buildMirror(mirror, components)).map(({ present }) => present)).toEqual([true, false]);
});

test('reports the number of finished components, the remaining time and the latest activity', async () => {
  const reported: Progress[] = [];
  await buildMirror(mirror, components, (progress) => reported.push(progress));
  expect(reported[0]).toEqual({
    task: 'Building the mirror (0 of 2 components done, less than 1 min left)',
    detail: 'demo v1.0.0: starting',
  });
  expect(reported.map(({ detail }) => detail)).toContain('demo v1.1.0: extracting from the seed');
});

test('pieces that the seed does not contain are built, and a directory of pieces gets one mode', needsGcc, async () => {
  const code = 'int main(void) { return 0; }';
  const entries = [{ type: 'tree', path: 'opt', piece: '.', mode: 0o644 }] as const;
  const component: Component = {
    ...components[0]!,
    beside: { type: 'c', program: 'extra', code },
    images: [
      {
        names: ['images.example.com/team/beside:v1'],
        layers: [{ type: 'entries', entries }],
        config: { env: { MODE: 'lab' } },
      },
    ],
  };
  expect(await buildMirror(mirror, [component])).toMatchObject([{ from: 'seed' }]);
  const blobs = join(paths.images, 'blobs/sha256');
  const texts = await Promise.all(
    (await readdir(blobs)).map((name) =>
      run(['sh', '-c', `zcat -f ${blobs}/${name} | tar -tv || cat ${blobs}/${name}`]),
    ),
  );
  expect(texts.join('\n')).toMatch(/^-rw-r--r-- .* opt\/extra$/m);
  expect(texts.join('\n')).toContain('"MODE=lab"');
});

test('one failing component stops the others, and its error is reported', needsGcc, async () => {
  const broken: Component = {
    ...components[0]!,
    name: 'broken',
    source: { type: 'c', program: 'broken', code: 'this is not C' },
  };
  const slow: Component = {
    ...components[1]!,
    name: 'slow',
    source: { type: 'c', program: 'slow', code: `#include "${join(folder, 'pipe')}"` },
  };
  await run(['mkfifo', join(folder, 'pipe')]);
  await expect(buildMirror(mirror, [broken, slow])).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  expect(await readdir(mirror)).not.toContain('records');
});

test('skopeo reads the images from the OCI layout, and images share layers', needsSkopeo, async () => {
  await buildMirror(mirror, components);
  const inspect = async (name: string) =>
    JSON.parse(await run(['skopeo', 'inspect', '--config', `oci:${paths.images}:images.example.com/team/${name}`]));
  const config = await inspect('demo:v1.0.0');
  expect(config.config).toMatchObject({ Entrypoint: ['/bin/demo'], User: '65535:65535' });
  expect((await inspect('demo-helper:latest-v1.0.0')).rootfs).toEqual(config.rootfs);
  const to = join(folder, 'copied');
  await run(['skopeo', 'copy', `oci:${paths.images}:images.example.com/team/demo:v1.1.0`, `dir:${to}`]);
  const { layers } = JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8'));
  const layer = join(to, layers[0].digest.replace('sha256:', ''));
  expect(await run(['tar', '-xzOf', layer, 'bin/demo'])).toBe(CONTENT);
});

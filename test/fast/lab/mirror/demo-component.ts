import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { digestFile } from '../../../../src/lab/mirror/archive.ts';
import { idOf, program, sidecar, type Component } from '../../../../src/lab/mirror/component.ts';
import { localArch } from '../../../../src/lab/mirror/build-context.ts';
import { run } from '../../../../src/lab/run.ts';

/** Creates a temporary directory that is removed after the tests of this file. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kubexm-mirror-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A component with everything real ones have: an archive, a single file, checksum files and images. */
export function demoComponent(version: string): Component {
  const url = `downloads.example.com/demo/${version}/demo.tar.gz`;
  const fileUrl = `downloads.example.com/demo/${version}/demo`;
  return {
    name: 'demo',
    version,
    source: { type: 'go', builds: [] },
    files: [
      {
        url,
        content: { type: 'archive', entries: [program('bin/demo', 'demo'), program('bin/helper', 'helper')] },
        sums: sidecar(url, '.sha256sum', 'named'),
      },
      { url: fileUrl, content: { type: 'piece', piece: 'demo' }, sums: sidecar(fileUrl, '.sha256', 'bare') },
    ],
    images: ['demo', 'demo-helper'].map((name) => ({
      names: [`images.example.com/team/${name}:${version}`, `images.example.com/team/${name}:latest-${version}`],
      layers: [LAYER],
      config: { entrypoint: [`/bin/${name}`], user: '65535:65535' },
    })),
  };
}

const LAYER = {
  type: 'entries',
  entries: [program('bin/demo', 'demo'), program('bin/helper', 'helper')],
} as const;

/** The content of the demo program; long enough that halves and ranges differ. */
export const CONTENT = Array.from({ length: 20_000 }, (_, line) => `line ${line} of the demo\n`).join('');

/** Writes a seed directory with the pieces of these components. */
export async function writeSeed(folder: string, components: readonly Component[]): Promise<void> {
  const pieces = join(folder, 'pieces');
  await mkdir(pieces, { recursive: true });
  await writeFile(join(pieces, 'demo'), CONTENT, { mode: 0o755 });
  await writeFile(join(pieces, 'helper'), '#!/bin/sh\n', { mode: 0o755 });
  const lines: string[] = [];
  for (const component of components) {
    const name = `${idOf(component)}-linux-${localArch()}.tar.xz`;
    await run(['tar', '-cJf', join(folder, name), '-C', pieces, 'demo', 'helper']);
    lines.push(`${(await digestFile(join(folder, name))).sha256}  ${name}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

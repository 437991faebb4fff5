import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/** Unpacks the sources of a commit for the tests of a file; the result is the path of its kubexm program. */
export function earlierVersion(commit: string): () => string {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubexm-previous-'));
    const unpack = spawn('sh', ['-c', `git archive ${commit} | tar -x -C "$1"`, 'sh', folder]);
    expect(await once(unpack, 'close')).toEqual([0, null]);
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => join(folder, 'bin/kubexm');
}

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptText } from '../../../../src/step/os/script.ts';
import { runLocally } from '../../connector/local-shell.ts';

const SECRET = 'canary-4711';
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubexm-script-'));
  path = join(folder, "it's", 'scripts', 'abc');
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (bash: string) => runLocally(scriptText(path), { stdin: bash });
const filesLeft = () =>
  readdirSync(join(path, '..')).map((name) => `${name}: ${readFileSync(join(path, '..', name), 'utf8')}`);

describe('a script of the cluster file', () => {
  it('leaves only an empty file on the host that records its success', async () => {
    const { exit, stdout } = await run(`echo with ${SECRET}; umask`);
    expect([exit, stdout]).toEqual([0, `with ${SECRET}\n0022\n`]);
    expect(filesLeft()).toEqual(['abc: ']);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  it('leaves nothing on the host if it fails', async () => {
    expect((await run(`exit 7 # ${SECRET}`)).exit).toBe(7);
    expect(filesLeft()).toEqual([]);
  });

  it('leaves nothing on the host if it is stopped', async () => {
    await run(`kill -TERM $PPID; sleep 0.1 # ${SECRET}`);
    expect(filesLeft()).toEqual([]);
  });

  it('that an earlier version left on the host is removed and not run again', async () => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, SECRET);
    expect((await run(`touch ${folder}/ran`)).exit).toBe(0);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
    expect(filesLeft()).toEqual(['abc: ']);
  });
});

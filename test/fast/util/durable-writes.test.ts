import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openJournal } from '../../../src/engine/journal/journal.ts';
import { ensureFolder } from '../../../src/util/ensure-folder.ts';
import { writeFileAtomically } from '../../../src/util/write-file.ts';

/** What reached the kernel, in order. */
const calls = vi.hoisted((): string[] => []);

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>();
  const nameOf = (path: unknown) =>
    String(path)
      .split('/')
      .at(-1)!
      .replace(/\.\d+\.[0-9a-f]{6}\.tmp$/, '.tmp');
  const COUNTED = new Set(['writeFile', 'write', 'sync', 'datasync']);
  const counting = (handle: files.FileHandle, name: string) =>
    new Proxy(handle, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]) => {
          if (COUNTED.has(String(property))) calls.push(`${String(property)} ${name}`);
          return Reflect.apply(value, target, args);
        };
      },
    });
  return {
    ...real,
    open: async (path: string, flags?: string, mode?: number) =>
      counting(await real.open(path, flags, mode), nameOf(path)),
    rename: (from: string, to: string) => {
      calls.push(`rename ${nameOf(from)} ${nameOf(to)}`);
      return real.rename(from, to);
    },
  };
});

const root = mkdtempSync(join(tmpdir(), 'kubexm-durable-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder: string;
let folders = 0;
beforeEach(() => {
  folder = join(root, `folder-${folders++}`);
  mkdirSync(folder);
  calls.length = 0;
});
const own = () => folder.split('/').at(-1)!;

describe('a file that is replaced', () => {
  it('is on disk before it gets its name, and its name is on disk before the write returns', async () => {
    await writeFileAtomically(join(folder, 'ca.key'), 'key', 0o600);
    expect(calls).toEqual(['writeFile ca.key.tmp', 'sync ca.key.tmp', 'rename ca.key.tmp ca.key', `sync ${own()}`]);
    expect(readFileSync(join(folder, 'ca.key'), 'utf8')).toBe('key');
    expect(statSync(join(folder, 'ca.key')).mode & 0o777).toBe(0o600);
  });
});

describe('a new folder', () => {
  it('is on disk in its parent, as are the parents that had to be created', async () => {
    await ensureFolder(join(folder, 'runs', 'one'), 0o700);
    expect(calls.filter((call) => call.startsWith('sync'))).toEqual([`sync ${own()}`, 'sync runs']);
  });

  it('costs nothing if it exists', async () => {
    await ensureFolder(folder, 0o700);
    expect(calls.filter((call) => call.startsWith('sync'))).toEqual([]);
  });
});

describe('the journal', () => {
  it('is on disk with its name and its folder before the first record, and each record before it counts', async () => {
    await using journal = await openJournal({ path: join(folder, 'run', 'journal.jsonl') });
    expect(calls.filter((call) => call.startsWith('sync'))).toEqual([`sync ${own()}`, 'sync run']);
    calls.length = 0;
    journal.append({ type: 'source', digest: 'x' });
    await journal.saved();
    expect(calls).toEqual(['write journal.jsonl', 'datasync journal.jsonl']);
  });

  it('syncs the records of many hosts together', async () => {
    await using journal = await openJournal({ path: join(folder, 'journal.jsonl') });
    calls.length = 0;
    for (let host = 0; host < 100; host++) journal.append({ type: 'skipped', node: `a/b/c@host${host}` });
    await journal.saved();
    expect(calls).toEqual(['write journal.jsonl', 'datasync journal.jsonl']);
  });
});

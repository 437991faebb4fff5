import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newMarker } from '../../../src/connector/framing.ts';
import { contentSource, type UploadSource } from '../../../src/connector/upload-source.ts';
import { uploadScript } from '../../../src/connector/upload.ts';
import { connectorIn, runLocally } from './local-shell.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubexm-transfer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MIB = 1024 * 1024;
const { uid, gid } = userInfo();
const owner = `${uid}:${gid}`;
const parts = (beside: string) => readdirSync(beside).filter((name) => name.includes('.kubexm-'));
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('an upload', () => {
  it('whose content does not match its checksum is discarded', async () => {
    await using host = connectorIn(folder);
    const path = join(folder, 'target');
    writeFileSync(path, 'previous');
    const wrong = { ...contentSource('content'), sha256: 'a'.repeat(64) };
    await expect(host.upload(wrong, { path, mode: 0o600, owner })).rejects.toMatchObject({ code: 'UPLOAD_MISMATCH' });
    expect(readFileSync(path, 'utf8')).toBe('previous');
    expect(parts(folder)).toEqual([]);
  });

  it('cannot be read by others while it is written', async () => {
    await using host = connectorIn(folder);
    const path = join(folder, 'key');
    const source = contentSource('private key');
    const modes: number[] = [];
    const watched: UploadSource = {
      ...source,
      open: (offset) => {
        modes.push(...parts(folder).map((name) => modeOf(join(folder, name))));
        return source.open(offset);
      },
    };
    await host.upload(watched, { path, mode: 0o644, owner });
    expect(modes).toEqual([0o600]);
    expect(modeOf(path)).toBe(0o644);
  });

  it('is on disk before it replaces the previous file', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const name of ['sync', 'mv']) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >>${folder}/log\nexec /bin/${name} "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const target = { path: join(folder, 'target'), mode: 0o600, owner };
    const { stdout } = await runLocally(uploadScript(contentSource('content'), target, newMarker()), {
      stdin: 'content',
      env: { PATH: `${bin}:${process.env['PATH']}` },
    });
    expect(stdout).toContain('done');
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('sync\nmv\n');
  });

  it('that is interrupted again keeps what arrived before', async () => {
    const content = Buffer.alloc(3 * MIB, 'x');
    const source = contentSource(content);
    const target = { path: join(folder, 'target'), mode: 0o600, owner };
    const script = () => uploadScript(source, target, newMarker());
    const first = await runLocally(script(), { stdin: content.subarray(0, 2.5 * MIB) });
    expect(first.stdout).toMatch(/go 0\n/);
    const [part = ''] = parts(folder);
    expect(statSync(join(folder, part)).size).toBe(2.5 * MIB);
    const second = await runLocally(script());
    expect(second.stdout).toMatch(new RegExp(`go ${2 * MIB}\n`));
    expect(statSync(join(folder, part)).size).toBe(2.5 * MIB);
    const third = await runLocally(script(), { stdin: content.subarray(2 * MIB) });
    expect(third.stdout).toContain('done');
    expect(createHash('sha256').update(readFileSync(target.path)).digest('hex')).toBe(source.sha256);
  });

  it('of a source that cannot be read fails', async () => {
    await using host = connectorIn(folder);
    const path = join(folder, 'target');
    const broken: UploadSource = {
      ...contentSource('content'),
      open: () =>
        new Readable({
          read: () => {
            throw new Error('disk error');
          },
        }),
    };
    await expect(host.upload(broken, { path, mode: 0o600, owner })).rejects.toThrow('disk error');
    expect(existsSync(path)).toBe(false);
  });
});

describe('a download', () => {
  it('of a file that changes meanwhile is refused', async () => {
    const remote = join(folder, 'remote');
    const local = join(folder, 'local');
    writeFileSync(remote, 'content one');
    await using host = connectorIn(folder, ({ stdin }) => {
      const write = stdin.write.bind(stdin);
      // The last moment before the content is read: the checksum is already known.
      stdin.write = (chunk: unknown) => {
        if (/^\d+\n$/.test(String(chunk))) writeFileSync(remote, 'content two');
        return write(chunk);
      };
    });
    await expect(host.download(remote, local)).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
    expect(existsSync(local)).toBe(false);
    expect(parts(folder)).toEqual([]);
  });

  it('copies the content, and skips a file that is already identical', async () => {
    const remote = join(folder, 'remote');
    const local = join(folder, 'local');
    writeFileSync(remote, Buffer.alloc(2 * MIB, 'y'));
    await using host = connectorIn(folder);
    await host.download(remote, local);
    expect(readFileSync(local).equals(readFileSync(remote))).toBe(true);
    const { mtimeMs } = statSync(local);
    await host.download(remote, local);
    expect(statSync(local).mtimeMs).toBe(mtimeMs);
  });
});

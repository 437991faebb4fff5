import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDepot, type Depot, type DepotOptions } from '../../../../src/resource/download/downloader.ts';
import type { FileItem } from '../../../../src/resource/item.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { sumOf } from './server.ts';

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kubexm-artifact-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A depot with a cache of its own and little patience. */
export async function depotFor(
  artifacts: Partial<Cluster['artifacts']> = {},
  options: DepotOptions = {},
): Promise<Depot> {
  const depot = await openDepot(
    { mirror: '', zone: '', imageMirror: '', checksums: undefined, ...artifacts },
    {
      cacheFolder: folder(),
      ...options,
      patience: { stallMs: 500, answerMs: 5000, tries: 4, pauseMs: 1, ...options.patience },
    },
  );
  onTestFinished(() => depot[Symbol.asyncDispose]());
  return depot;
}

export const watch = (said: string[] = []) => ({
  signal: new AbortController().signal,
  say: (line: string) => void said.push(line),
});

export const fileItem = (url: string, more: Partial<FileItem> = {}): FileItem => ({
  type: 'file',
  name: 'kubelet',
  version: '1.35.8',
  arch: 'amd64',
  url,
  sumUrl: undefined,
  sha256: undefined,
  content: 'elf',
  roles: ['worker'],
  path: 'kubernetes/1.35.8/amd64/kubelet',
  ...more,
});

/** A program of the right kind, as far as its header tells. */
export function program(size = 100_000, machine = 62): Buffer {
  const content = Buffer.alloc(size, 'kubexm');
  Buffer.from('\x7fELF\x02\x01\x01', 'latin1').copy(content);
  content.writeUInt16LE(machine, 18);
  return content;
}

/** Every file of the cache is what its name says; resolves with how many there are. */
export function provenBlobs({ cache }: Depot): number {
  const root = join(cache.folder, 'sha256');
  const names = (() => {
    try {
      return readdirSync(root, { recursive: true, encoding: 'utf8' });
    } catch {
      return [];
    }
  })().filter((name) => /\/[0-9a-f]{64}$/.test(name));
  for (const name of names) {
    const sum = sumOf(readFileSync(join(root, name)));
    if (!name.endsWith(sum)) throw new Error(`${name} has the sum ${sum}`);
  }
  return names.length;
}

/** A certificate for 127.0.0.1 that nobody trusts yet. */
export function certificate(): { readonly key: string; readonly cert: string } {
  const place = folder();
  const [key, cert] = [join(place, 'key.pem'), join(place, 'cert.pem')];
  const subject = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
  execFileSync('openssl', ['req', '-x509', ...newKey, '-out', cert, ...subject], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

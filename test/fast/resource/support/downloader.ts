import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  openDownloader,
  type Downloader,
  type DownloaderOptions,
} from '../../../../src/resource/download/downloader.ts';
import type { FileItem } from '../../../../src/resource/item.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { sha256Of } from './server.ts';

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kubexm-artifact-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A downloader with its own cache and short timeouts. */
export async function testDownloader(
  artifacts: Partial<Cluster['artifacts']> = {},
  options: DownloaderOptions = {},
): Promise<Downloader> {
  const downloader = await openDownloader(
    { mirror: '', zone: '', imageMirror: '', trustMirror: false, checksums: undefined, ...artifacts },
    {
      cacheFolder: folder(),
      ...options,
      retry: { stallTimeoutMs: 500, responseTimeoutMs: 5000, attempts: 4, backoffMs: 1, ...options.retry },
    },
  );
  onTestFinished(() => downloader[Symbol.asyncDispose]());
  return downloader;
}

export const transferContext = (lines: string[] = []) => ({
  signal: new AbortController().signal,
  say: (line: string) => void lines.push(line),
});

export const fileItem = (url: string, more: Partial<FileItem> = {}): FileItem => ({
  type: 'file',
  name: 'kubelet',
  version: '1.35.8',
  arch: 'amd64',
  url,
  checksumUrl: undefined,
  sha256: undefined,
  format: 'elf',
  roles: ['worker'],
  path: 'kubernetes/1.35.8/amd64/kubelet',
  ...more,
});

/** A file with the ELF header of a Linux binary. */
export function program(size = 100_000, machine = 62): Buffer {
  const content = Buffer.alloc(size, 'kubexm');
  Buffer.from('\x7fELF\x02\x01\x01', 'latin1').copy(content);
  content.writeUInt16LE(machine, 18);
  return content;
}

/** Checks that every blob in the cache matches its checksum and returns their number. */
export function countVerifiedBlobs({ cache }: Downloader): number {
  const root = join(cache.folder, 'sha256');
  const names = (() => {
    try {
      return readdirSync(root, { recursive: true, encoding: 'utf8' });
    } catch {
      return [];
    }
  })().filter((name) => /\/[0-9a-f]{64}$/.test(name));
  for (const name of names) {
    const sha256 = sha256Of(readFileSync(join(root, name)));
    if (!name.endsWith(sha256)) throw new Error(`${name} has the checksum ${sha256}`);
  }
  return names.length;
}

/** A self-signed certificate for 127.0.0.1. */
export function certificate(): { readonly key: string; readonly cert: string } {
  const path = folder();
  const [key, cert] = [join(path, 'key.pem'), join(path, 'cert.pem')];
  const subject = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
  execFileSync('openssl', ['req', '-x509', ...newKey, '-out', cert, ...subject], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

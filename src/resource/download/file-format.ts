import { open } from 'node:fs/promises';
import type { Arch } from '../../common/host.ts';
import type { FileFormat } from '../item.ts';

/** Checks the first bytes of a file. Returns the problem, or undefined if the format matches. */
export async function formatProblem(
  path: string,
  format: FileFormat | undefined,
  arch: Arch | undefined,
): Promise<string | undefined> {
  const start = await firstBytes(path);
  if (start.length === 0) return 'it is empty';
  if (format === undefined) return undefined;
  const isHtml = /^\s*<(!doctype html|html|head|\?xml)/i.test(start.toString('latin1'));
  if (isHtml) return `it is an HTML page, not ${formatNames[format]}`;
  switch (format) {
    case 'elf':
      return start.subarray(0, 4).equals(ELF) ? machineProblem(start, arch) : `it is not ${formatNames.elf}`;
    case 'gzip':
      return start[0] === 0x1f && start[1] === 0x8b ? undefined : `it is not ${formatNames.gzip}`;
    case 'xz':
      return start.subarray(0, 6).equals(XZ) ? undefined : `it is not ${formatNames.xz}`;
    case 'yaml':
      return start.includes(0) ? `it is not ${formatNames.yaml}` : undefined;
  }
}

const formatNames: Readonly<Record<FileFormat, string>> = {
  elf: 'a Linux binary',
  gzip: 'a gzip archive',
  xz: 'an xz archive',
  yaml: 'a YAML file',
};

const ELF = Buffer.from('\x7fELF', 'latin1');
const XZ = Buffer.from('\xfd7zXZ\0', 'latin1');

/** Reads e_machine at offset 18, in the byte order given by the byte at offset 5. */
function machineProblem(start: Buffer, arch: Arch | undefined): string | undefined {
  if (start.length < 20) return 'its ELF header is truncated';
  const machine = start[5] === 2 ? start.readUInt16BE(18) : start.readUInt16LE(18);
  if (arch === undefined || machine === machines[arch]) return undefined;
  const other = Object.entries(machines).find(([, number]) => number === machine)?.[0] ?? `machine ${machine}`;
  return `it is a binary for ${other}, not for ${arch}`;
}

const machines: Readonly<Record<Arch, number>> = { amd64: 62, arm64: 183 };

async function firstBytes(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  return buffer.subarray(0, bytesRead);
}

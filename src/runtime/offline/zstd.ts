import type { Duplex } from 'node:stream';
import * as zlib from 'node:zlib';
import { nodeStreamFilter, type Compression } from '../../resource/bundle/compression.ts';
import { pipeThrough, runProgram } from '../../connector/program.ts';

/** Finds zstd in Node.js or as an installed program; undefined if there is neither. */
export async function findZstd(): Promise<Compression | undefined> {
  const { createZstdCompress: pack, createZstdDecompress: unpack } = newer;
  if (pack && unpack) return { compress: nodeStreamFilter(() => pack()), decompress: nodeStreamFilter(() => unpack()) };
  const isInstalled = await runProgram(['zstd', '--version']).then(
    ({ exit }) => exit === 0,
    () => false,
  );
  if (!isInstalled) return undefined;
  // Always two threads, so that the output is the same on every machine.
  return {
    compress: (source) => pipeThrough(['zstd', '-3', '-T2', '-q', '-c'], source),
    decompress: (source) => pipeThrough(['zstd', '-d', '-q', '-c'], source),
  };
}

/** Available since Node.js 22.15. */
const newer: Pick<typeof zlib, 'createGzip'> & {
  readonly createZstdCompress?: () => Duplex;
  readonly createZstdDecompress?: () => Duplex;
} = zlib;

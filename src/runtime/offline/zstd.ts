import type { Duplex } from 'node:stream';
import * as zlib from 'node:zlib';
import { filterBy, type Packing } from '../../resource/bundle/compression.ts';
import { throughProgram } from '../../connector/filter.ts';
import { runProgram } from '../../connector/program.ts';

/** zstd of Node.js, or of the program; undefined when there is neither. */
export async function findZstd(): Promise<Packing | undefined> {
  const { createZstdCompress: pack, createZstdDecompress: unpack } = newer;
  if (pack && unpack) return { pack: filterBy(() => pack()), unpack: filterBy(() => unpack()) };
  const isThere = await runProgram(['zstd', '--version']).then(
    ({ exit }) => exit === 0,
    () => false,
  );
  if (!isThere) return undefined;
  // Two threads at any number of cores: the bytes are the same everywhere.
  return {
    pack: (source) => throughProgram(['zstd', '-3', '-T2', '-q', '-c'], source),
    unpack: (source) => throughProgram(['zstd', '-d', '-q', '-c'], source),
  };
}

/** Node.js has them from 22.15 on. */
const newer: Pick<typeof zlib, 'createGzip'> & {
  readonly createZstdCompress?: () => Duplex;
  readonly createZstdDecompress?: () => Duplex;
} = zlib;

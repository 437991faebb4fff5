import { buffer } from 'node:stream/consumers';
import type { Connector } from '../../src/connector/connector.ts';
import { contentSource } from '../../src/connector/upload-source.ts';
import type { Answer, Backend } from '../../test/fake/shell-server.ts';

/** The last answer of a real machine to each script. */
export interface Recording {
  /** The name and the internal address of the machine. */
  readonly name: string;
  readonly address: string;
  /** The name of the recorded worker, on a master that is asked about workers. */
  readonly worker?: string;
  readonly answers: Record<string, Answer>;
}

/** Passes everything on to a real machine and records its answers. */
export const recordingBackend = (connector: Connector, { answers }: Recording): Backend => ({
  bootId: '00000000-0000-4000-8000-000000000000',
  async query(script) {
    return (answers[withoutFence(script)] = await connector.query(script));
  },
  async exec(script, stdin) {
    return (answers[withoutFence(script)] = await connector.exec(script, stdin === undefined ? {} : { stdin }));
  },
  async upload({ path, mode, owner, size }, content) {
    const bytes = await buffer(limited(content, size));
    await connector.upload(contentSource(bytes), { path, mode: Number.parseInt(mode, 8), owner });
    return 'done';
  },
});

async function* limited(content: AsyncIterable<Buffer>, size: number): AsyncIterable<Buffer> {
  let left = size;
  if (left === 0) return;
  for await (const chunk of content) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** The script without the check of the cluster lock, whose number differs between runs. */
export const withoutFence = (script: string): string => script.replace(/^\[ -e \S+\/lock\/\d+ \] \|\| exit \d+\n/, '');

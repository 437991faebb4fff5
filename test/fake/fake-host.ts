import { setTimeout as sleep } from 'node:timers/promises';
import type { KubexmError } from '../../src/common/errors/errors.ts';
import type { Connector, ExecResult } from '../../src/connector/connector.ts';

/** A host in memory, at the connector: what is above it in a test is real. */
export interface FakeHost extends Connector {
  readonly files: Map<string, string>;
  /** Every script that changed something, in order. */
  readonly changes: string[];
  /** Files as sorted "path: content", to be compared. */
  content(): readonly string[];
  /** Answers scripts that match, before the built-in ones do. */
  answer(pattern: RegExp, handle: Handler): void;
  /** What happens from now on to scripts that match: a failure, a wait, a connection error. */
  fault(pattern: RegExp, fault: Fault): void;
  /** Takes all faults away. */
  mend(): void;
}

/** What a script does: the match, and its input. */
export type Handler = (match: RegExpExecArray, stdin: string) => ExecResult;

/** Something that goes wrong: `times` counts down, without it there is no end. */
export interface Fault {
  readonly exit?: number;
  readonly error?: KubexmError;
  readonly delayMs?: number;
  readonly times?: number;
  /** Fails after the script took effect, as a connection that drops too late. */
  readonly after?: boolean;
}

export const ok = (stdout = ''): ExecResult => ({ exit: 0, stdout, stderr: '' });
export const no = (stderr = ''): ExecResult => ({ exit: 1, stdout: '', stderr });

export function fakeHost(name: string, files = new Map<string, string>()): FakeHost {
  const changes: string[] = [];
  const answers: [RegExp, Handler][] = [];
  let faults: { pattern: RegExp; fault: Fault; left: number }[] = [];
  let roundTrips = 0;
  let tick: Promise<void> | undefined;
  const handlers: readonly [RegExp, Handler][] = [
    [/^cat (\S+)$/, ([, path = '']) => (files.has(path) ? ok(files.get(path)) : no(`cat: ${path}: No such file`))],
    [/^test -e (\S+)$/, ([, path = '']) => (files.has(path) ? ok() : no())],
    [/^cat > (\S+)$/, ([, path = ''], stdin) => (files.set(path, stdin), ok())],
    [/^rm -f (\S+)$/, ([, path = '']) => (files.delete(path), ok())],
    [/^true$/, () => ok()],
  ];

  const handle = (script: string, stdin: string): ExecResult => {
    for (const [pattern, handler] of [...answers, ...handlers]) {
      const match = pattern.exec(script);
      if (match) return handler(match, stdin);
    }
    return { exit: 127, stdout: '', stderr: `fake host ${name} does not know: ${script}` };
  };
  /** As over a connection, looks of the same tick travel as one. */
  const together = () => {
    tick ??= new Promise((resolve) => {
      const send = () => {
        tick = undefined;
        roundTrips += 1;
        resolve();
      };
      void Promise.resolve().then(() => process.nextTick(send));
    });
    return tick;
  };
  const ask = async (script: string, stdin: string, signal?: AbortSignal): Promise<ExecResult> => {
    const hit = faults.find(({ pattern, left }) => left > 0 && pattern.test(script));
    if (!hit) return handle(script, stdin);
    hit.left -= 1;
    const { delayMs, exit, error, after } = hit.fault;
    if (delayMs !== undefined) await sleep(delayMs, undefined, signal && { signal });
    const result = after || (exit === undefined && error === undefined) ? handle(script, stdin) : undefined;
    if (error) throw error;
    return exit === undefined ? (result ?? ok()) : { exit, stdout: '', stderr: 'broken on purpose' };
  };

  return {
    host: name,
    files,
    changes,
    content: () => [...files].map(([path, text]) => `${path}: ${text}`).sort(),
    get roundTrips() {
      return roundTrips;
    },
    bootId: undefined,
    answer: (pattern, handler) => void answers.push([pattern, handler]),
    fault: (pattern, fault) => void faults.push({ pattern, fault, left: fault.times ?? Infinity }),
    mend: () => void (faults = []),
    look: async (script, options) => {
      await together();
      return ask(script, '', options?.signal);
    },
    exec: async (script, { stdin = '', signal } = {}) => {
      roundTrips += 1;
      const result = await ask(script, stdin, signal);
      if (result.exit === 0) changes.push(script);
      return result;
    },
    knock: async () => {},
    upload: async (source, { path }, signal) => {
      let text = '';
      for await (const chunk of source.open(0).setEncoding('utf8')) text += String(chunk);
      await ask(`cat > ${path}`, text, signal);
      changes.push(`upload ${path}`);
    },
    download: () => Promise.reject(new Error('a fake host has no download')),
    [Symbol.asyncDispose]: async () => {},
  };
}

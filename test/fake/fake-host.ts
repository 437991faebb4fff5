import { setTimeout as sleep } from 'node:timers/promises';
import { fail, type KubexmError } from '../../src/common/errors/errors.ts';
import type { Connector, ExecResult } from '../../src/connector/connector.ts';

/** An in-memory host at connector level; everything above the connector is real. */
export interface FakeHost extends Connector {
  readonly files: Map<string, string>;
  /** Every script that made a change, in order. */
  readonly changes: string[];
  /** Files as sorted "path: content" lines, for comparison. */
  content(): readonly string[];
  /** Handles matching scripts before the built-in handlers. */
  answer(pattern: RegExp, handle: Handler): void;
  /** Injects a failure, delay or connection error into matching scripts. */
  fault(pattern: RegExp, fault: Fault): void;
  clearFaults(): void;
}

/** Simulates a script from its regular expression match and stdin. */
export type Handler = (match: RegExpExecArray, stdin: string) => ExecResult;

/** An injected fault; it applies `times` times, or always if omitted. */
export interface Fault {
  readonly exit?: number;
  readonly error?: KubexmError;
  readonly delayMs?: number;
  /** Delays the script until this resolves. */
  readonly waitFor?: Promise<unknown>;
  readonly times?: number;
  /** Fails after the script took effect, like a connection that drops late. */
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
    return { exit: 127, stdout: '', stderr: `fake host ${name} has no handler for: ${script}` };
  };
  /** Queries of the same tick share a round trip, as over a real connection. */
  const batch = () => {
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
  const execute = async (script: string, stdin: string, signal?: AbortSignal): Promise<ExecResult> => {
    const hit = faults.find(({ pattern, left }) => left > 0 && pattern.test(script));
    if (!hit) return handle(script, stdin);
    hit.left -= 1;
    const { delayMs, waitFor, exit, error, after } = hit.fault;
    await waitFor;
    if (delayMs !== undefined) await sleep(delayMs, undefined, signal && { signal });
    const result = after || (exit === undefined && error === undefined) ? handle(script, stdin) : undefined;
    if (error) throw error;
    return exit === undefined ? (result ?? ok()) : { exit, stdout: '', stderr: 'injected fault' };
  };

  return {
    host: name,
    files,
    changes,
    content: () => [...files].map(([path, text]) => `${path}: ${text}`).sort(),
    rootFolders: [],
    get roundTrips() {
      return roundTrips;
    },
    bootId: undefined,
    answer: (pattern, handler) => void answers.push([pattern, handler]),
    fault: (pattern, fault) => void faults.push({ pattern, fault, left: fault.times ?? Infinity }),
    clearFaults: () => void (faults = []),
    query: async (script, options) => {
      await batch();
      return execute(script, '', options?.signal);
    },
    exec: async (script, { stdin = '', signal } = {}) => {
      roundTrips += 1;
      const result = await execute(script, stdin, signal);
      if (result.exit === 0) changes.push(script);
      return result;
    },
    checkNewConnection: async () => {},
    upload: async (source, { path }, signal) => {
      let text = '';
      for await (const chunk of source.open(0).setEncoding('utf8')) text += String(chunk);
      await execute(`cat > ${path}`, text, signal);
      changes.push(`upload ${path}`);
    },
    download: () => Promise.reject(new Error('fake hosts do not support download')),
    tunnel: () => Promise.reject(fail('TUNNEL_FORBIDDEN', { host: name })),
    [Symbol.asyncDispose]: async () => {},
  };
}

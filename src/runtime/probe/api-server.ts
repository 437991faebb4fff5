import type { ExecResult } from '../../connector/connector.ts';

/** What something said when it was asked whether it is well. */
export interface Answer {
  readonly ok: boolean;
  readonly said: string;
}

/** Of an API server: what of it is not ready, or why it did not answer. */
export function readApiAnswer({ exit, stdout, stderr }: ExecResult): Answer {
  if (exit === 0) return { ok: true, said: stdout.trim().split('\n').at(-1) || 'ok' };
  const failed = [...stderr.matchAll(/\[-\](\S+) failed/g)].map(([, name = '']) => name);
  if (failed.length > 0) return { ok: false, said: `not ready: ${[...new Set(failed)].join(', ')}` };
  if (/No such file|not found/.test(stderr) && exit >= 126) return { ok: false, said: 'kubectl is not there' };
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^[EWI]\d{4} /.test(line));
  return { ok: false, said: lines.at(-1)?.trim() ?? 'no answer' };
}

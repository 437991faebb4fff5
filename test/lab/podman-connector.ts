import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Connector, ExecOptions, ExecResult } from '../../src/connector/connector.ts';
import { tryOnMachine, type Machine } from '../../src/lab/machine.ts';
import { quote } from '../../src/runner/command.ts';

/** Reaches a machine of a lab past SSH, so that what is above the connector can be tried without one. */
export function podmanConnector(machine: Machine): Connector {
  let roundTrips = 0;
  let waiting: { readonly script: string; readonly done: (result: ExecResult) => void }[] = [];
  const sh = (script: string, { stdin = '', onLine, signal }: ExecOptions = {}) => {
    roundTrips++;
    return tryOnMachine(machine, ['sh', '-c', script], {
      stdin,
      ...(onLine && { onLine: (line) => onLine(line, 'stdout') }),
      ...(signal && { signal }),
    });
  };
  const flush = async () => {
    const asked = waiting;
    waiting = [];
    const { stdout } = await sh(asked.map(({ script }) => framed(script)).join('\n'));
    const answers = stdout.split('\n').filter(Boolean);
    for (const [place, { done }] of asked.entries()) {
      const [exit = '', out = '', err = ''] = (answers[place] ?? '').split(' ');
      done({ exit: Number(exit), stdout: decode(out), stderr: decode(err) });
    }
  };
  return {
    host: machine.name,
    get roundTrips() {
      return roundTrips;
    },
    look: (script) =>
      new Promise((done) => {
        waiting.push({ script, done });
        if (waiting.length === 1) setImmediate(() => void flush());
      }),
    exec: sh,
    async upload(source, { path, mode, owner }) {
      const stdin = (await buffer(source.open(0))).toString('base64');
      const t = quote(`${path}.upload`);
      const script = `base64 -d >${t} && chmod ${mode.toString(8)} ${t} && chown ${owner} ${t} && mv -fT ${t} ${quote(path)}`;
      const { exit, stderr } = await sh(script, { stdin });
      if (exit !== 0) throw new Error(stderr);
    },
    async download(remotePath, localPath) {
      const { exit, stdout, stderr } = await sh(`base64 -w0 ${quote(remotePath)}`);
      if (exit !== 0) throw new Error(stderr);
      await writeFile(localPath, Buffer.from(stdout, 'base64'));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const framed = (script: string) =>
  `d=$(mktemp -d /run/ask.XXXXXX); sh -c ${quote(script)} >$d/o 2>$d/e </dev/null; echo "$? $(base64 -w0 $d/o) $(base64 -w0 $d/e)"; rm -r $d`;

const decode = (text: string) => Buffer.from(text, 'base64').toString('utf8');

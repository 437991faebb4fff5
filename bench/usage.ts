import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a call of kubexm used. */
export interface Usage {
  readonly seconds: number;
  /** Seconds of CPU time. */
  readonly cpu: number;
  /** Peak resident memory. */
  readonly mb: number;
  /** The most open files. */
  readonly files: number;
}

/** Runs kubexm and measures it; with `live` in a terminal, so that it draws the live view. `folder` gets temporary files. */
export async function measuredKubexm(
  folder: string,
  args: readonly string[],
  live = false,
): Promise<Usage & { readonly stdout: string }> {
  const usage = join(folder, 'usage.json');
  const preload = join(folder, 'usage.mjs');
  await writeFile(preload, PRELOAD);
  const env = { ...process.env, NODE_OPTIONS: `--import ${preload}`, KUBEXM_BENCH_USAGE: usage };
  const command = ['bin/kubexm', ...args];
  const [program = '', ...rest] = live ? ['script', '-qec', command.join(' '), '/dev/null'] : command;
  const start = performance.now();
  const stdout = await new Promise<string>((done, reject) =>
    execFile(program, rest, { env, encoding: 'utf8', maxBuffer: 1 << 30 }, (error, out, err) =>
      error ? reject(new Error(`${command.join(' ')} failed\n${out.slice(-3000)}\n${err.slice(-6000)}`)) : done(out),
    ),
  );
  const seconds = (performance.now() - start) / 1000;
  return { seconds, stdout, ...JSON.parse(await readFile(usage, 'utf8')) };
}

/** Writes CPU time, peak memory and the most open files of a process when it exits. */
const PRELOAD = `import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
let files = 0;
setInterval(() => (files = Math.max(files, readdirSync('/proc/self/fd').length)), 200).unref();
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const mb = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  if (process.argv[1]?.endsWith('kubexm.mjs'))
    writeFileSync(process.env.KUBEXM_BENCH_USAGE, JSON.stringify({ cpu: (user + system) / 1e6, mb, files }));
});
`;

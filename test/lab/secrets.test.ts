import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { onMachine, scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { restore } from '../e2e/support/kill-runs.ts';
import { proofProgram, resultOf, type ProcessResult, type ProofRun } from '../e2e/support/proof-program.ts';
import { labNames } from './support.ts';

const canary = (name: string) => `${name}-${randomBytes(9).toString('hex')}`;
const CANARIES = {
  password: canary('password'),
  passphrase: canary('passphrase'),
  sudoPassword: canary('sudo'),
  wrongPassword: canary('wrong'),
  step: canary('step'),
};

const named = await labNames();
const name = named('secrets');
const program = proofProgram();
let lab: Lab;
let secretFile: string;
/** The first host uses a password, the second an encrypted key; sudo asks for a password on both. */
let file: string;
beforeAll(async () => {
  const { password, passphrase, sudoPassword } = CANARIES;
  lab = await labUp({ name, machines: 2, user: 'ops', password, passphrase, sudoPassword });
  const cluster: { readonly spec: { readonly hosts: Record<string, unknown>[] } } = parse(
    readFileSync(lab.paths.cluster, 'utf8'),
  );
  const [first, second] = cluster.spec.hosts;
  delete first!['privateKeyPath'];
  delete second!['password'];
  const folder = program.newWorkdir();
  file = join(folder, 'cluster.yaml');
  secretFile = join(folder, 'secret');
  writeFileSync(file, stringify(cluster));
  writeFileSync(secretFile, CANARIES.step);
  await Promise.all(
    lab.machines.map((machine) => onMachine(machine, ['tee', PATTERNS], { stdin: patterns().join('\n') })),
  );
}, 900_000);

const PATTERNS = '/run/canaries';

/** The canaries in plain text and in base64 at each of the three possible alignments. */
const patterns = () =>
  Object.values(CANARIES).flatMap((text) => [
    text,
    ...[0, 1, 2].map((shift) =>
      Buffer.from(`${'.'.repeat(shift)}${text}`)
        .toString('base64')
        .slice(4, -4),
    ),
  ]);

describe.each([
  { how: 'a successful run', fails: false, flags: ['--verbose'], exit: 0 },
  { how: 'a failed run', fails: true, flags: ['--verbose'], exit: 12 },
  { how: 'a failed run with JSON output', fails: true, flags: ['--log-format=json', '-o', 'json'], exit: 12 },
  { how: 'a wrong password', fails: false, flags: ['--verbose'], exit: 11, wrong: true },
] as const)('$how', (one) => {
  const workdir = program.newWorkdir();
  let result: ProcessResult;
  let seen: readonly string[];
  beforeAll(async () => {
    await restore(lab);
    if (one.fails) await onMachine(lab.machines[0]!, ['touch', '/run/kx-fail']);
    const wrong = join(workdir, '..', `wrong.yaml`);
    writeFileSync(wrong, readFileSync(file, 'utf8').replaceAll(CANARIES.sudoPassword, CANARIES.wrongPassword));
    const run: ProofRun = { file: 'wrong' in one ? wrong : file, workdir, steps: [1, 3, 12, 17, 27], mayFail: true };
    ({ result, seen } = await runWatched({ ...run, secretFile, flags: one.flags }));
  }, 600_000);

  it('has the expected exit code', () => {
    expect(result.exit, result.stderr).toBe(one.exit);
    if (one.fails) expect(result.stderr).toContain('invalid token •••');
  });

  it('prints no secret', () => expect(found(`${result.stdout}${result.stderr}`)).toEqual([]));

  it('writes no secret to a local file', () => {
    const files = readdirSync(workdir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    if (one.exit !== 11)
      expect(files.map((entry) => entry.name)).toEqual(
        expect.arrayContaining(['journal.jsonl', 'log.jsonl', 'plan.txt', 'kubexm.db']),
      );
    const paths = files.map((entry) => join(entry.parentPath, entry.name));
    expect(paths.filter((path) => found(readFileSync(path, 'latin1')).length > 0)).toEqual([]);
  });

  it('puts no secret into process arguments or environments, local or remote', () => expect(seen).toEqual([]));

  it('leaves secrets on a machine only in their target files', async () => {
    for (const machine of lab.machines) {
      const expected = one.exit === 0 ? ['/etc/kx-secret'] : [];
      expect(await filesWith(machine), machine.name).toEqual(expected);
      expect(await logsWith(machine), machine.name).toBe('0');
    }
  }, 120_000);
});

const found = (text: string) => patterns().filter((pattern) => text.includes(pattern));

/** Runs with its own home directory while scanning the arguments and environments of all processes. */
async function runWatched(
  run: ProofRun,
): Promise<{ readonly result: ProcessResult; readonly seen: readonly string[] }> {
  const home = join(run.workdir, 'home');
  mkdirSync(home);
  const child = program.start(run, { PATH: process.env['PATH']!, HOME: home, KUBEXM_HOME: join(home, '.kubexm') });
  const seen = new Set<string>();
  let scans = 0;
  // The machines are containers, so their processes are listed here, too.
  const timer = setInterval(() => {
    scans += 1;
    for (const pid of readdirSync('/proc').filter((each) => /^\d+$/.test(each)))
      for (const kind of ['cmdline', 'environ'])
        for (const pattern of found(readProc(pid, kind))) seen.add(`${kind} ${pattern}`);
  }, 20);
  const result = await resultOf(child);
  clearInterval(timer);
  expect(scans).toBeGreaterThan(10);
  return { result, seen: [...seen] };
}

function readProc(pid: string, kind: string): string {
  try {
    return readFileSync(`/proc/${pid}/${kind}`, 'latin1');
  } catch {
    return ''; // The process has exited.
  }
}

const filesWith = async (machine: Machine) =>
  (
    await scriptOn(
      machine,
      `find / -xdev \\( -path /proc -o -path /sys \\) -prune -o -type f -size -30M -print0 | xargs -0 grep -alFf ${PATTERNS} || true
find /tmp /dev/shm /run -type f ! -path ${PATTERNS} -size -30M -print0 2>/dev/null | xargs -0r grep -alFf ${PATTERNS} || true`,
    )
  )
    .split('\n')
    .filter(Boolean);

const logsWith = async (machine: Machine) =>
  (
    await scriptOn(machine, `journalctl --no-pager --all --output=export 2>/dev/null | grep -acFf ${PATTERNS} || true`)
  ).trim();

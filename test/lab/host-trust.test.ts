import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { onMachine, scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { run, tryRun } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm, type Called } from '../fast/cli/kubexm.ts';
import { labNames } from './support.ts';

const named = await labNames();
const name = named('trust');
const JUMP_PASSWORD = 'jump-Canary-61f0';
const NODE_PASSWORD = 'node-Canary-88de';
let lab: Lab;
let folder: string;
beforeAll(async () => {
  lab = await labUp({ name, machines: 1, user: 'ops', password: JUMP_PASSWORD, jump: true });
  await onMachine(machine('node1'), ['chpasswd'], { stdin: `ops:${NODE_PASSWORD}\n` });
  folder = mkdtempSync(join(tmpdir(), 'kubexm-trust-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const machine = (wanted: string): Machine => lab.machines.find((one) => one.name === wanted)!;

type Fields = Readonly<Record<string, unknown>>;

/** A working directory with a cluster file in which fields of node1 are replaced; undefined removes a field. */
function workdirWith(fields: Fields): string {
  const workdir = mkdtempSync(join(folder, 'work-'));
  const cluster: { spec: { hosts: Fields[] } } = parse(readFileSync(lab.paths.cluster, 'utf8'));
  cluster.spec.hosts = cluster.spec.hosts.map((host) => ({ ...host, ...fields }));
  writeFileSync(join(workdir, 'cluster.yaml'), stringify(cluster));
  mkdirSync(join(workdir, '.ssh'));
  return workdir;
}

/** Runs a command on node1 with its own home directory, the working directory. */
const runIn = (workdir: string, flags: readonly string[], script = 'hostname'): Promise<Called> =>
  kubexm(
    ['run', 'command', '-f', join(workdir, 'cluster.yaml'), '--workdir', workdir, '--as-user', ...flags, '--', script],
    { HOME: workdir, KUBEXM_HOME: join(workdir, '.kubexm-home') },
  );

const jumpWith = (fields: Fields) => ({
  jump: { address: machine('jump').address, user: 'ops', password: JUMP_PASSWORD, ...fields },
});
/** node1 is reached with passwords only, and no key is pinned. */
const unpinned = () => ({ privateKeyPath: undefined, password: NODE_PASSWORD, hostKey: undefined, ...jumpWith({}) });

const fingerprintOf = async (on: Machine) =>
  (await onMachine(on, ['ssh-keygen', '-l', '-f', '/etc/ssh/ssh_host_ed25519_key.pub'])).split(' ')[1]!;

/** The logins that sshd on a machine has recorded since a cursor of its journal. */
const loginsSince = async (on: Machine, cursor: string) =>
  (await onMachine(on, ['journalctl', '--no-pager', '--output', 'cat', '--after-cursor', cursor]))
    .split('\n')
    .filter((line) => /^(Accepted|Failed|Invalid|Connection closed by authenticating)/.test(line));
const endOfJournal = async (on: Machine) =>
  (await onMachine(on, ['journalctl', '--no-pager', '--lines', '1', '--show-cursor'])).split('-- cursor: ')[1]!.trim();

describe('a jump host', () => {
  it('with its own password does not get the password of the host', async () => {
    const jump = machine('jump');
    const since = await endOfJournal(jump);
    const { exit, stdout, stderr } = await runIn(workdirWith(unpinned()), []);
    expect(exit, stderr).toBe(0);
    expect(stdout).toBe('node1  node1\n');
    const logins = await loginsSince(jump, since);
    expect(logins).toEqual([expect.stringMatching(/^Accepted password for ops/)]);
  });

  it('without its own credentials is not offered the password of the host', async () => {
    const jump = machine('jump');
    const since = await endOfJournal(jump);
    const { exit, stderr } = await runIn(workdirWith({ ...unpinned(), jump: `ops@${jump.address}` }), []);
    expect(stderr).toContain('AUTH_FAILED');
    expect(stderr).toContain(`set jump: {address: ${jump.address}, user: ops, password: …}`);
    expect(exit).toBe(11);
    expect((await loginsSince(jump, since)).filter((line) => line.includes('password'))).toEqual([]);
  });

  it('whose pinned key does not match gets nothing', async () => {
    const jump = machine('jump');
    const since = await endOfJournal(jump);
    const wrong = `SHA256:${'A'.repeat(43)}`;
    const { exit, stderr } = await runIn(workdirWith({ ...unpinned(), ...jumpWith({ hostKey: wrong }) }), []);
    expect(stderr).toContain('HOST_KEY_CHANGED');
    expect(stderr).toContain(wrong);
    expect(stderr).toContain(await fingerprintOf(jump));
    expect(exit).toBe(11);
    expect(await loginsSince(jump, since)).toEqual([]);
  });
});

describe('host keys', () => {
  it('of unknown hosts are refused in strict mode, before a login', async () => {
    const jump = machine('jump');
    const since = await endOfJournal(jump);
    const workdir = workdirWith(unpinned());
    const { exit, stderr } = await runIn(workdir, ['--host-keys', 'strict']);
    expect(stderr).toContain('HOST_KEY_UNKNOWN');
    expect(stderr).toContain(await fingerprintOf(jump));
    expect(exit).toBe(11);
    expect(await loginsSince(jump, since)).toEqual([]);
  });

  it('are shown on first use, and accepted in strict mode from then on', async () => {
    const workdir = workdirWith(unpinned());
    const first = await runIn(workdir, []);
    for (const on of [machine('jump'), machine('node1')])
      expect(first.stderr).toContain(`trusting its SSH host key on first use: ssh-ed25519 ${await fingerprintOf(on)}`);
    const second = await runIn(workdir, ['--host-keys', 'strict']);
    expect([second.exit, second.stdout, second.stderr]).toEqual([0, 'node1  node1\n', '']);
  });

  it('that ssh knows under hashed names are accepted in strict mode, unless they are revoked', async () => {
    const workdir = workdirWith(unpinned());
    const known = join(workdir, '.ssh', 'known_hosts');
    const keyOf = async (on: Machine) =>
      (await onMachine(on, ['cat', '/etc/ssh/ssh_host_ed25519_key.pub'])).split(' ').slice(0, 2).join(' ');
    const nameOf = ({ address, port }: Machine) => (port === 22 ? address : `[${address}]:${port}`);
    const lines = await Promise.all(
      [machine('jump'), machine('node1')].map(async (on) => `${nameOf(on)} ${await keyOf(on)}\n`),
    );
    writeFileSync(known, lines.join(''));
    await run(['ssh-keygen', '-H', '-f', known]);
    const trusted = await runIn(workdir, ['--host-keys', 'strict']);
    expect([trusted.exit, trusted.stderr]).toEqual([0, '']);
    writeFileSync(known, `@revoked * ${await keyOf(machine('node1'))}\n`, { flag: 'a' });
    const revoked = await runIn(workdir, []);
    expect(revoked.stderr).toContain('HOST_KEY_REVOKED');
    expect(revoked.stderr).toContain(`${known}:3`);
    expect(revoked.exit).toBe(11);
  });
});

describe('the output of a host', () => {
  const HOSTILE = String.raw`printf '\033]52;c;cm0gLXJmIC8=\007\033]0;owned\007\033[2J\033[31mred\033[0m\302\233A\rdone\n'`;

  it('cannot control the terminal, with or without colors', async () => {
    const workdir = workdirWith({});
    const plain = await runIn(workdir, [], HOSTILE);
    expect(plain.stdout).toBe('node1  red done\n');
    const args = ['-f', join(workdir, 'cluster.yaml'), '--workdir', workdir, '--', HOSTILE];
    const quoted = [resolve('bin/kubexm'), 'run', 'command', ...args].map(
      (word) => `'${word.replaceAll("'", `'\\''`)}'`,
    );
    const terminal = await tryRun(['script', '-qec', quoted.join(' '), '/dev/null'], {
      env: { HOME: workdir, KUBEXM_HOME: join(workdir, '.kubexm-home'), TERM: 'xterm', NO_COLOR: '' },
    });
    expect(terminal.exit, terminal.stdout).toBe(0);
    expect(terminal.stdout).toContain('red done');
    for (const part of ['52;c', 'owned', '\x1b[2J', '\x1b[31m', '\u009b']) expect(terminal.stdout).not.toContain(part);
  });

  it('is complete but harmless as JSON', async () => {
    const { stdout } = await runIn(workdirWith({}), ['-o', 'json'], HOSTILE);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(stdout)[0].stdout).toContain('\x1b]0;owned');
  });

  it('is limited here and on the disk of the host', async () => {
    const free = `f=$(readlink /proc/$$/fd/1); until [ $(($(stat -c '%b * %B' "$f"))) -lt 16000000 ]; do sleep 0.2; done`;
    const script = `echo first; head -c 300000000 /dev/zero | tr '\\0' x; echo; ${free}; echo last`;
    const workdir = workdirWith({});
    const flags = ['-f', join(workdir, 'cluster.yaml'), '--workdir', workdir, '--as-user', '-o', 'json'];
    // Without the limit that execFile has for output.
    const { exit, stdout, stderr } = await tryRun([resolve('bin/kubexm'), 'run', 'command', ...flags, '--', script], {
      env: { HOME: workdir, KUBEXM_HOME: join(workdir, '.kubexm-home') },
    });
    expect(exit, stderr).toBe(0);
    const output = String(JSON.parse(stdout)[0].stdout);
    expect(output.length).toBeLessThan(4_300_000);
    expect(`${output.slice(0, 8)}…${output.slice(-6)}`).toBe('first\nxx…\nlast\n');
    expect(output).toMatch(/\n\[kubexm: 29\d{7} bytes of output omitted\]\n/);
    expect((await scriptOn(machine('node1'), 'ls -A ~ops/.cache/kubexm/run')).trim()).toBe('');
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KubexmError } from '../../src/common/errors/errors.ts';
import { Secret } from '../../src/common/secret.ts';
import type { Connector } from '../../src/connector/connector.ts';
import { knownHosts, type KnownHosts } from '../../src/connector/known-hosts.ts';
import { localConnector } from '../../src/connector/local.ts';
import { contentSource, fileSource, type UploadSource } from '../../src/connector/upload-source.ts';
import { sshConnector } from '../../src/connector/ssh.ts';
import type { Target } from '../../src/connector/target.ts';
import { awaitMachines } from '../../src/lab/machine/wait.ts';
import { clearFaults, faults } from '../../src/lab/fault/faults.ts';
import { onMachine, scriptOn, tryOnMachine, type Machine } from '../../src/lab/machine/machine.ts';
import { run, tryRun } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { countReads } from './support/count-reads.ts';
import { labNames } from './support.ts';

// At the top level, because it registers an afterAll hook.
const named = await labNames();

const LOGIN = 'login-Canary-5d1f';
const SUDO = 'sudo-Canary-77aa';
const PASSPHRASE = 'open sesame';

let plain: Lab;
let odd: Lab;
let folder: string;
let known: KnownHosts;
const open: Connector[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubexm-connector-'));
  plain = await labUp({
    name: named('plain'),
    machines: 2,
    keyTypes: ['ed25519', 'rsa', 'ecdsa'],
    passphrase: PASSPHRASE,
  });
  odd = await labUp({
    name: named('odd'),
    machines: 1,
    user: 'ubuntu',
    password: LOGIN,
    sudoPassword: SUDO,
    port: 2222,
    jump: true,
    shell: '/bin/csh',
    banner: 'Welcome! It is "free" $HOME',
  });
  known = knownHosts(join(folder, 'known_hosts'));
});

afterEach(async () => {
  for (const connector of open.splice(0)) await connector[Symbol.asyncDispose]();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const machine = (lab: Lab, name: string): Machine => lab.machines.find((one) => one.name === name)!;

const targetOf = (lab: Lab, name: string, extra: Partial<Target> = {}): Target => ({
  name,
  address: machine(lab, name).address,
  port: machine(lab, name).port,
  user: 'root',
  timeoutMs: 30_000,
  privateKeyPath: join(lab.paths.folder, 'id_ed25519'),
  ...extra,
});

function connect(target: Target, hosts = known): Connector {
  const connector = sshConnector(target, hosts);
  open.push(connector);
  return connector;
}
const node = (name = 'node1', extra: Partial<Target> = {}) => connect(targetOf(plain, name, extra));
const jumpTarget = (extra: Partial<Target> = {}) => targetOf(odd, 'jump', { user: 'ubuntu', ...extra });
const oddNode = (extra: Partial<Target> = {}) =>
  connect(targetOf(odd, 'node1', { user: 'ubuntu', jump: jumpTarget(), sudoPassword: new Secret(SUDO), ...extra }));

/** The error that a promise rejects with. */
async function errorOf(promise: Promise<unknown>): Promise<KubexmError> {
  const error: unknown = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof KubexmError)) throw new Error('expected a KubexmError', { cause: error });
  return error;
}

/**
 * Expects an action to take less than a time on an idle computer. On a busy one, everything takes longer: the limit grows
 * with the time that a successful login takes before and after it.
 */
async function expectFast<T>(action: () => Promise<T>, limitMs: number, login: () => Promise<unknown>): Promise<T> {
  const timed = async <R>(act: () => Promise<R>) => {
    const start = performance.now();
    return { result: await act(), ms: performance.now() - start };
  };
  const before = await timed(login);
  const { result, ms } = await timed(action);
  const after = await timed(login);
  expect(ms).toBeLessThan(limitMs + 10 * Math.max(before.ms, after.ms));
  return result;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 300_000; !(await condition());) {
    if (Date.now() > end) throw new Error('timed out waiting for the condition');
    await setImmediate();
  }
}

const linesOf = async (on: Machine, path: string) => (await onMachine(on, ['cat', path])).split('\n').filter(Boolean);
const journalSince = (on: Machine, cursor: string) =>
  onMachine(on, ['journalctl', '--no-pager', '--output', 'cat', '--after-cursor', cursor]);
const endOfJournal = async (on: Machine) =>
  (await onMachine(on, ['journalctl', '--no-pager', '--lines', '1', '--show-cursor'])).split('-- cursor: ')[1]!.trim();

describe('scripts', () => {
  it('return output and exit code through a jump host, csh, a banner and sudo with a password', async () => {
    const host = oddNode();
    expect(await host.query('id -un; echo "$HOME"; pwd; umask; printf oops >&2; exit 5')).toEqual({
      exit: 5,
      stdout: 'root\n/root\n/\n0022\n',
      stderr: 'oops',
    });
    expect(await host.exec('id -un; cat; exit 6', { stdin: "it's ü" })).toEqual({
      exit: 6,
      stdout: "root\nit's ü",
      stderr: '',
    });
    expect(await host.query('id -un; echo "$HOME"', { root: false })).toMatchObject({
      stdout: 'ubuntu\n/home/ubuntu\n',
    });
    expect(await host.exec('id -un', { root: false })).toMatchObject({ exit: 0, stdout: 'ubuntu\n' });
    expect(await onMachine(machine(odd, 'node1'), ['ls', '/var/lib/kubexm/run'])).toBe('');
  });

  it('for many hosts share one connection to the jump host', async () => {
    const on = machine(odd, 'jump');
    const hosts = knownHosts(join(folder, 'known-jump'));
    const since = await endOfJournal(on);
    const target = targetOf(odd, 'node1', { user: 'ubuntu', jump: jumpTarget() });
    const many = Array.from({ length: 6 }, () => connect(target, hosts));
    await Promise.all(many.map((host) => host.query('true', { root: false })));
    const logins = async () => (await journalSince(on, since)).match(/Accepted publickey/g)?.length ?? 0;
    expect(await logins()).toBe(1);
    for (const host of many) await host[Symbol.asyncDispose]();
    await until(async () => (await tryOnMachine(on, ['pgrep', '-u', 'ubuntu', 'sshd'])).exit === 1);
  });

  it('queried in the same tick are sent in one round trip without affecting each other', async () => {
    const host = node();
    const before = host.roundTrips;
    const [noLineEnd, broken, left, strict, bytes, ...many] = await Promise.all([
      host.query('printf "no line end"'),
      host.query('echo "unbalanced'),
      host.query('cd /tmp; exit 3'),
      host.query('set -e; false; echo never'),
      host.query(String.raw`printf '\377\000\001'`),
      ...Array.from({ length: 95 }, (_, index) => host.query(`echo ${index}; pwd`)),
    ]);
    expect(host.roundTrips - before).toBe(1);
    expect(noLineEnd).toEqual({ exit: 0, stdout: 'no line end', stderr: '' });
    expect(broken).toMatchObject({ exit: 2, stdout: '' });
    expect(left).toMatchObject({ exit: 3 });
    expect(strict).toMatchObject({ exit: 1, stdout: '' });
    expect(bytes?.stdout).toHaveLength(3);
    expect(many.map(({ stdout }) => stdout)).toEqual(many.map((_, index) => `${index}\n/\n`));
  });

  it('report output line by line while they run', async () => {
    const host = node();
    const lines: string[] = [];
    const resume = '/tmp/go-on';
    const { stdout } = await host.exec(
      `echo one; echo two >&2; until [ -e ${resume} ]; do sleep 0.05; done; printf three`,
      {
        onLine: (line, stream) => {
          lines.push(`${stream} ${line}`);
          if (line === 'two') void onMachine(machine(plain, 'node1'), ['touch', resume]);
        },
      },
    );
    expect(stdout).toBe('one\nthree');
    expect(lines).toEqual(['stdout one', 'stderr two', 'stdout three']);
    expect(host.roundTrips).toBe(1);
  });

  it('run concurrently, 50 at a time, even with MaxSessions 1', async () => {
    const on = machine(plain, 'node2');
    const fifty = (host: Connector) =>
      Promise.all(Array.from({ length: 50 }, (_, index) => host.exec(`echo ${index} >>/root/fifty; echo ${index}`)));
    const expected = Array.from({ length: 50 }, (_, index) => ({ exit: 0, stdout: `${index}\n`, stderr: '' }));
    expect(await fifty(node('node2'))).toEqual(expected);
    await scriptOn(on, 'echo MaxSessions 1 >/etc/ssh/sshd_config.d/few.conf; systemctl restart ssh');
    try {
      expect(await fifty(node('node2'))).toEqual(expected);
    } finally {
      await scriptOn(on, 'rm /etc/ssh/sshd_config.d/few.conf; systemctl restart ssh');
    }
    expect(await linesOf(on, '/root/fifty')).toHaveLength(100);
  });

  it('run on a full disk', async () => {
    const on = machine(plain, 'node2');
    await scriptOn(
      on,
      'mount -t tmpfs -o size=64k tmpfs /var/lib/kubexm; cat /dev/zero >/var/lib/kubexm/fill 2>/dev/null || true',
    );
    expect(await node('node2').exec('echo works; exit 4')).toEqual({ exit: 4, stdout: 'works\n', stderr: '' });
    await scriptOn(on, 'umount /var/lib/kubexm');
  });

  it('whose supervisor is killed are reported as lost', async () => {
    const on = machine(plain, 'node1');
    const error = await errorOf(node().exec('kill -KILL $$; sleep 54321'));
    expect(error).toMatchObject({ code: 'COMMAND_LOST' });
    expect(error.report.message).toContain('killed');
    await tryOnMachine(on, ['pkill', '-f', 'sleep 54321']);
    await until(async () => (await onMachine(on, ['ls', '/var/lib/kubexm/run'])) === '');
  });

  it('are killed with their child processes when cancelled', async () => {
    const host = node();
    const cancel = new AbortController();
    const reason = new Error('cancelled');
    const running = host.exec('sleep 98765 & echo started; sleep 98765', {
      signal: cancel.signal,
      onLine: () => cancel.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
    expect((await tryOnMachine(machine(plain, 'node1'), ['pgrep', '-f', 'sleep 98765'])).exit).toBe(1);
    expect((await host.query('ls /var/lib/kubexm/run')).stdout).toBe('');
  });
});

describe('credentials', () => {
  const whoAmI = async (extra: Partial<Target>) => (await node('node1', extra).query('id -un')).stdout;

  it.each(['ed25519', 'rsa', 'ecdsa'])('can be a key of type %s, as a file or inline', async (type) => {
    const path = join(plain.paths.folder, `id_${type}`);
    expect(await whoAmI({ privateKeyPath: path })).toBe('root\n');
    const privateKey = new Secret(await readFile(path, 'utf8'));
    expect(await whoAmI({ privateKeyPath: undefined, privateKey })).toBe('root\n');
  });

  it('can be an encrypted key', async () => {
    const privateKeyPath = join(plain.paths.folder, 'id_ecdsa_locked');
    expect(await whoAmI({ privateKeyPath, passphrase: new Secret(PASSPHRASE) })).toBe('root\n');
    expect(await errorOf(whoAmI({ privateKeyPath }))).toMatchObject({ code: 'KEY_NEEDS_PASSPHRASE' });
    const wrong = await errorOf(whoAmI({ privateKeyPath, passphrase: new Secret('no') }));
    expect(wrong).toMatchObject({ code: 'KEY_NEEDS_PASSPHRASE' });
    expect(await errorOf(whoAmI({ privateKeyPath: '/nowhere' }))).toMatchObject({ code: 'KEY_UNREADABLE' });
  });

  it('can be a password', async () => {
    const password = new Secret(LOGIN);
    const jump = jumpTarget({ privateKeyPath: undefined, password });
    const host = oddNode({ privateKeyPath: undefined, password, jump });
    expect((await host.query('id -un', { root: false })).stdout).toBe('ubuntu\n');
  });

  it('can come from an SSH agent', async () => {
    const socket = join(folder, 'agent.sock');
    const stop = new AbortController();
    const agent = tryRun(['ssh-agent', '-D', '-a', socket], { signal: stop.signal });
    try {
      await until(() =>
        stat(socket).then(
          () => true,
          () => false,
        ),
      );
      await run(['ssh-add', join(plain.paths.folder, 'id_ed25519')], { env: { SSH_AUTH_SOCK: socket } });
      expect(await whoAmI({ privateKeyPath: undefined, agent: socket })).toBe('root\n');
    } finally {
      stop.abort();
      await agent.catch(() => {});
    }
  });

  it('that are wrong fail at once and are tried only once', async () => {
    const on = machine(odd, 'jump');
    const since = await endOfJournal(on);
    const login = () => connect(jumpTarget()).query('true', { root: false });
    const wrong = connect(jumpTarget({ privateKeyPath: undefined, password: new Secret('wrong') }));
    const failing = () => Promise.all([errorOf(wrong.query('true')), errorOf(wrong.exec('true'))]);
    // PAM delays a rejection by 2 to 3 s.
    const [first, second] = await expectFast(failing, 8000, login);
    expect(first).toMatchObject({ code: 'AUTH_FAILED', exit: 11 });
    expect(first.report.message).toContain('password');
    expect(second).toBe(first);
    expect(await errorOf(wrong.query('true'))).toBe(first);
    const journal = await journalSince(on, since);
    expect(journal.match(/Failed password for ubuntu/g)).toHaveLength(1);

    const otherKey = join(plain.paths.folder, 'id_rsa');
    const rejected = () => errorOf(connect(jumpTarget({ privateKeyPath: otherKey })).query('true'));
    const error = await expectFast(rejected, 3000, login);
    expect(error.report.message).toContain(otherKey);
  });
});

describe('sudo', () => {
  it('with a wrong password has its own error and is tried only once', async () => {
    const on = machine(odd, 'jump');
    const since = await endOfJournal(on);
    const wrong = connect(jumpTarget({ sudoPassword: new Secret('wrong') }));
    const errors = await Promise.all(Array.from({ length: 5 }, () => errorOf(wrong.exec('true'))));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['SUDO_PASSWORD_WRONG']));
    const journal = await journalSince(on, since);
    expect(journal.match(/authentication failure/g)).toHaveLength(1);
    expect(await errorOf(connect(jumpTarget()).query('true'))).toMatchObject({ code: 'SUDO_PASSWORD_MISSING' });
  });

  it('without permission, with requiretty, with use_pty, or missing', async () => {
    const on = machine(plain, 'node1');
    await scriptOn(
      on,
      `useradd -m guest; install -d -m 700 -o guest ~guest/.ssh; cp ~root/.ssh/authorized_keys ~guest/.ssh
       chown guest: ~guest/.ssh/authorized_keys; printf 'guest:${LOGIN}' | chpasswd`,
    );
    const guest = (extra: Partial<Target> = {}) => node('node1', { user: 'guest', ...extra });
    expect(await errorOf(guest({ sudoPassword: new Secret(LOGIN) }).query('true'))).toMatchObject({
      code: 'SUDO_NOT_ALLOWED',
    });
    const allow = (text: string) =>
      scriptOn(on, `printf '%s\\n' '${text}' 'guest ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/guest`);
    await allow('Defaults requiretty');
    expect(await errorOf(guest().query('true'))).toMatchObject({ code: 'SUDO_NEEDS_TTY' });
    await allow('Defaults use_pty');
    expect(await guest().exec('id -un; cat', { stdin: 'x' })).toEqual({ exit: 0, stdout: 'root\nx', stderr: '' });
    expect((await guest({ sudoPassword: new Secret('not asked for') }).query('id -un')).stdout).toBe('root\n');
    await scriptOn(on, 'chmod -x /usr/bin/sudo');
    expect(await errorOf(guest().query('true'))).toMatchObject({ code: 'SUDO_NOT_ALLOWED' });
    await scriptOn(on, 'chmod 4755 /usr/bin/sudo; mv /usr/bin/sudo /usr/bin/sudo.away');
    expect(await errorOf(guest().query('true'))).toMatchObject({ code: 'SUDO_MISSING' });
    await scriptOn(on, 'mv /usr/bin/sudo.away /usr/bin/sudo; usermod -s /usr/sbin/nologin guest');
    expect(await errorOf(guest().query('true'))).toMatchObject({ code: 'SHELL_UNUSABLE' });
    await scriptOn(on, 'rm /etc/sudoers.d/guest; userdel -rf guest 2>/dev/null || true');
  });
});

describe('host keys', () => {
  const fresh = () => knownHosts(join(folder, `known-${randomBytes(4).toString('hex')}`));
  const query = (hosts: KnownHosts, extra: Partial<Target> = {}) =>
    connect(targetOf(plain, 'node2', extra), hosts).query('true');

  it('are stored on first use, also for concurrent connections', async () => {
    const hosts = fresh();
    await Promise.all(['node1', 'node2'].map((name) => connect(targetOf(plain, name), hosts).query('true')));
    expect((await readFile(hosts.path, 'utf8')).trim().split('\n')).toHaveLength(2);
    expect((await stat(hosts.path)).mode & 0o777).toBe(0o600);
    await query(hosts);
  });

  it('can be pinned as a key or as a fingerprint, for every key type', async () => {
    const on = machine(plain, 'node2');
    await scriptOn(on, "ssh-keygen -q -t rsa -N '' -f /etc/ssh/ssh_host_rsa_key; systemctl restart ssh");
    for (const type of ['ed25519', 'ecdsa', 'rsa']) {
      const path = `/etc/ssh/ssh_host_${type}_key.pub`;
      const key = (await onMachine(on, ['cat', path])).split(' ').slice(0, 2).join(' ');
      const print = (await onMachine(on, ['ssh-keygen', '-l', '-f', path])).split(' ')[1]!;
      await query(fresh(), { hostKey: key });
      await query(fresh(), { hostKey: print });
    }
    const hostKey = 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU';
    const error = await errorOf(query(fresh(), { hostKey }));
    expect(error).toMatchObject({ code: 'HOST_KEY_CHANGED' });
    expect(error.report.message).toContain(hostKey);
  });

  it('that changed fail at once with both fingerprints', async () => {
    const hosts = fresh();
    const on = machine(plain, 'node2');
    await query(hosts);
    const print = async () => (await onMachine(on, ['ssh-keygen', '-l', '-f', KEY])).split(' ')[1]!;
    const before = await print();
    await scriptOn(
      on,
      `cp ${KEY} /root/key; yes | ssh-keygen -q -t ed25519 -N '' -f ${KEY} >/dev/null; systemctl restart ssh`,
    );
    const login = () => connect(targetOf(plain, 'node1')).query('true');
    const error = await expectFast(() => errorOf(query(hosts)), 3000, login);
    expect(error).toMatchObject({ code: 'HOST_KEY_CHANGED', exit: 11 });
    expect(error.report.message).toContain(before);
    expect(error.report.message).toContain(await print());
    expect(error.report.message).toContain(`${hosts.path}:1`);
    await run(['sh', '-c', error.report.hint.replace(/^[^:]*: /, '')]);
    await query(knownHosts(hosts.path));
    await scriptOn(on, `cp /root/key ${KEY}; ssh-keygen -y -f ${KEY} >${KEY}.pub; systemctl restart ssh`);
  });
  const KEY = '/etc/ssh/ssh_host_ed25519_key';
});

describe('when the connection drops', () => {
  it('the connector reattaches to a command, which has run once', async () => {
    const on = machine(plain, 'node1');
    const host = node();
    const resume = '/tmp/after-reset';
    const result = await host.exec(
      `echo started; echo effect >>/root/once; until [ -e ${resume} ]; do sleep 0.05; done; echo finished; echo last >&2; exit 42`,
      {
        onLine: (line) => {
          if (line === 'started') void faults.reset.apply(on).then(() => onMachine(on, ['touch', resume]));
        },
      },
    );
    expect(result).toEqual({ exit: 42, stdout: 'started\nfinished\n', stderr: 'last\n' });
    expect(await linesOf(on, '/root/once')).toEqual(['effect']);
    expect((await host.query('ls /var/lib/kubexm/run')).stdout).toBe('');
  });

  const countRuns = async (on: Machine) =>
    (await tryOnMachine(on, ['cat', '/root/storm'])).stdout.split('\n').filter(Boolean).length;

  it('repeatedly, each of many commands still runs once', async () => {
    const on = machine(plain, 'node1');
    const host = node();
    const storm = new AbortController();
    const resets: number[] = [];
    const storming = (async () => {
      for (let before = 0; !storm.signal.aborted; resets.push(before)) {
        await until(async () => storm.signal.aborted || (await countRuns(on)) > before);
        before = await countRuns(on);
        await faults.reset.apply(on);
      }
    })();
    const begun: number[] = [];
    const wave = async () => {
      const numbers = Array.from({ length: 40 }, (_, index) => begun.length + index);
      begun.push(...numbers);
      const exec = (n: number) => host.exec(`echo ${n} >>/root/storm; sleep 0.2; echo ${n}; exit ${n % 100}`);
      expect(await Promise.all(numbers.map(exec))).toEqual(
        numbers.map((n) => ({ exit: n % 100, stdout: `${n}\n`, stderr: '' })),
      );
    };
    try {
      // On a busy computer it takes several waves to get enough resets.
      for (let waves = 0; waves < 10 && resets.length < 3; waves++) await wave();
    } finally {
      storm.abort();
      await storming;
    }
    expect(resets.length).toBeGreaterThan(2);
    expect((await linesOf(on, '/root/storm')).map(Number).toSorted((a, b) => a - b)).toEqual(begun);
  });

  it('while a shell is slow to start, its late start does not run the command again', async () => {
    const on = machine(plain, 'node1');
    const host = node();
    // The login shell of the first attempt continues only after the second attempt is done.
    const slow =
      '[ -e /tmp/slow ] || { touch /tmp/slow; until [ -e /tmp/over ]; do sleep 0.05; done; touch /tmp/late; }';
    await scriptOn(on, `cp ~/.bashrc ~/.bashrc.before; echo '${slow}' >>~/.bashrc`);
    const running = host.exec('echo effect >>/root/late; echo ran');
    await until(async () => (await tryOnMachine(on, ['test', '-e', '/tmp/slow'])).exit === 0);
    await faults.reset.apply(on);
    expect(await running).toEqual({ exit: 0, stdout: 'ran\n', stderr: '' });
    await scriptOn(on, 'mv ~/.bashrc.before ~/.bashrc; touch /tmp/over');
    await until(async () => (await tryOnMachine(on, ['test', '-e', '/tmp/late'])).exit === 0);
    await host.exec('sleep 0.5');
    expect(await linesOf(on, '/root/late')).toEqual(['effect']);
    await scriptOn(on, 'rm -rf /var/lib/kubexm/run/* /tmp/late /tmp/slow /tmp/over');
  });

  it('a cancelled command is still killed', async () => {
    const on = machine(plain, 'node1');
    const host = node();
    const cancel = new AbortController();
    const reason = new Error('cancelled');
    const running = host.exec('echo started; sleep 87654', {
      signal: cancel.signal,
      onLine: () => void faults.reset.apply(on).then(() => cancel.abort(reason)),
    });
    await expect(running).rejects.toBe(reason);
    expect((await tryOnMachine(on, ['pgrep', '-f', 'sleep 87654'])).exit).toBe(1);
  });

  it('silently, the connector notices and reconnects', async () => {
    const on = machine(plain, 'node1');
    const host = node('node1', { timeoutMs: 60_000 });
    const running = host.exec('echo started; sleep 5; echo finished', {
      onLine: (line) => {
        if (line === 'started') void faults.cut.apply(on, { what: 'ssh' });
      },
    });
    await until(async () => (await tryOnMachine(on, ['pgrep', '-f', 'sleep 5'])).exit === 1);
    await until(() => Promise.resolve(host.roundTrips > 1));
    await clearFaults(on);
    expect(await running).toMatchObject({ exit: 0, stdout: 'started\nfinished\n' });
  });

  it('because of a reboot, a running command is reported as lost', async () => {
    const on = machine(plain, 'node2');
    const host = node('node2', { timeoutMs: 120_000 });
    const running = host.exec('echo started; sleep 76543', {
      onLine: () => void faults.reboot.apply(on),
    });
    const error = await errorOf(running);
    expect(error).toMatchObject({ code: 'COMMAND_LOST', exit: 12 });
    expect(error.report.message).toContain('rebooted');
    await awaitMachines([on], plain.paths);
    expect((await host.query('echo back')).stdout).toBe('back\n');
  });
});

describe('files', () => {
  const SIZE = 200 * 1024 * 1024;
  let big: string;
  beforeAll(async () => {
    big = join(folder, 'big');
    const block = randomBytes(1024 * 1024);
    await writeFile(big, Buffer.concat(Array.from({ length: SIZE / block.length }, () => block)));
  });

  it('are uploaded despite a dropped connection, and not sent again', async () => {
    const on = machine(plain, 'node1');
    const host = node();
    const file = await fileSource(big);
    let drop: Promise<void> | undefined;
    const { source, count } = countReads(file, (bytes) => {
      if (bytes > SIZE / 3) drop ??= faults.reset.apply(on);
      // Hold the upload back until the connection is dropped.
      return bytes > SIZE / 2 ? drop : undefined;
    });
    const target = { path: '/opt/big file', mode: 0o751, owner: 'daemon:root' };
    await host.upload(source, target);
    await drop;
    expect(count.opened).toBeGreaterThan(1);
    const written = await onMachine(on, ['sh', '-c', `sha256sum <'/opt/big file'; stat -c '%a %U:%G' '/opt/big file'`]);
    expect(written).toBe(`${file.sha256}  -\n751 daemon:root\n`);
    expect(await onMachine(on, ['find', '/opt', '-name', '*kubexm*'])).toBe('');
    console.log(`sent again: ${((count.bytes - SIZE) / 1e6).toFixed(1)} MB of ${(SIZE / 1e6).toFixed(0)}`);
    // Data in flight at the drop: the channel window, kernel buffers on both sides, one block.
    expect(count.bytes - SIZE).toBeLessThan(16 * 1024 * 1024);

    const again = countReads(file);
    const before = host.roundTrips;
    await host.upload(again.source, target);
    expect(again.count.opened).toBe(0);
    expect(host.roundTrips - before).toBe(1);
    await host.upload(again.source, { ...target, mode: 0o600 });
    expect(await onMachine(on, ['stat', '-c', '%a', '/opt/big file'])).toBe('600\n');
    expect(again.count.opened).toBe(0);
  });

  it('are downloaded despite a dropped connection', async () => {
    const on = machine(plain, 'node1');
    const host = node();
    const local = join(folder, 'fetched');
    const down = host.download('/opt/big file', local);
    await until(async () => (await tryRun(['sh', '-c', `ls ${folder}/.fetched.kubexm-*`])).exit === 0);
    await faults.reset.apply(on);
    await down;
    const checksum = (path: string) => readFile(path).then((bytes) => createHash('sha256').update(bytes).digest('hex'));
    expect(await checksum(local)).toBe(await checksum(big));
    expect(await errorOf(host.download('/nowhere', local))).toMatchObject({ code: 'DOWNLOAD_FAILED' });
  });

  it('that cannot be written fail without leaving anything behind', async () => {
    const host = node();
    const on = machine(plain, 'node1');
    const put = (path: string, source: UploadSource = contentSource('x')) =>
      host.upload(source, { path, mode: 0o644, owner: 'root:root' });
    expect(await errorOf(put('/nowhere/file'))).toMatchObject({ code: 'UPLOAD_FAILED' });
    expect(await errorOf(put('/opt'))).toMatchObject({ code: 'UPLOAD_FAILED' });
    const wrongChecksum = { ...contentSource('content'), sha256: 'a'.repeat(64) };
    expect(await errorOf(put('/opt/wrong', wrongChecksum))).toMatchObject({ code: 'UPLOAD_MISMATCH' });
    await scriptOn(on, 'mkdir -p /mnt/small; mount -t tmpfs -o size=1m tmpfs /mnt/small');
    expect(await errorOf(put('/mnt/small/file', await fileSource(big)))).toMatchObject({ code: 'DISK_FULL' });
    expect(await onMachine(on, ['find', '/mnt/small', '/opt', '-name', '.*'])).toBe('');
    await scriptOn(on, 'umount /mnt/small');
    await put('/opt/empty', contentSource(''));
    expect(await onMachine(on, ['cat', '/opt/empty'])).toBe('');
  });

  it('are uploaded through a jump host as root with sudo', async () => {
    await oddNode().upload(contentSource('hello\n'), { path: '/etc/greeting', mode: 0o640, owner: 'root:root' });
    expect(await onMachine(machine(odd, 'node1'), ['cat', '/etc/greeting'])).toBe('hello\n');
  });
});

it('reports an unreachable host within its timeout', async () => {
  const address = machine(plain, 'node1').address.replace(/\d+$/, '250');
  const failing = () => errorOf(node('node1', { address, timeoutMs: 3000 }).query('true'));
  const error = await expectFast(failing, 5000, () => node('node1').query('true'));
  expect(error).toMatchObject({ code: 'HOST_UNREACHABLE', exit: 11 });
});

it('exposes no password in process arguments, environments or files', async () => {
  const on = machine(odd, 'node1');
  const host = oddNode({
    password: new Secret(LOGIN),
    privateKeyPath: undefined,
    jump: jumpTarget({ password: new Secret(LOGIN), privateKeyPath: undefined }),
  });
  const done = new AbortController();
  const running = host.exec('echo started; sleep 65432', { signal: done.signal });
  await until(async () => (await tryOnMachine(on, ['pgrep', '-f', 'sleep 65432'])).exit === 0);
  const seen = await onMachine(on, [
    'sh',
    '-c',
    'ps axww -o args; cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"; find /var/lib/kubexm /run/kubexm /tmp -type f -exec cat {} + 2>/dev/null; true',
  ]);
  const here = await run(['ps', 'axww', '-o', 'args']);
  done.abort(new Error('cancelled'));
  await expect(running).rejects.toThrow('cancelled');
  expect(seen).toContain('sleep 65432');
  for (const secret of [LOGIN, SUDO]) {
    expect(seen).not.toContain(secret);
    expect(here).not.toContain(secret);
  }
});

it('localConnector works the same way on this computer', async () => {
  await using host = localConnector();
  expect(await host.exec('cat; echo err >&2; exit 3', { stdin: 'in' })).toEqual({
    exit: 3,
    stdout: 'in',
    stderr: 'err\n',
  });
  const [one, two] = await Promise.all([host.query('echo 1'), host.query('exit 2')]);
  expect([one?.stdout, two?.exit, host.roundTrips]).toEqual(['1\n', 2, 2]);
  const path = join(folder, 'put');
  await host.upload(contentSource('text'), { path, mode: 0o600, owner: 'root:root' });
  await host.download(path, `${path}.back`);
  expect(await readFile(`${path}.back`, 'utf8')).toBe('text');
  const state = join(process.env['KUBEXM_HOME']!, 'run');
  expect(host.rootFolders).toEqual([state]);
  await until(async () => (await readdir(state)).length === 0);
});

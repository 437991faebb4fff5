import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clearFaults } from '../../src/lab/faults.ts';
import { onMachine, scriptOn, tryOnMachine, type Machine } from '../../src/lab/machine.ts';
import { run } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { effectsOf, forgetEffects, HOST_KEY, newHostKey, oldHostKey, WORK } from './fault-work.ts';
import { labNames } from './support.ts';
import { newTrial, type Changes } from './trial.ts';

const named = await labNames();
const LOGIN = 'login-Canary-91c2';
const SUDO = 'sudo-Canary-4be0';
let lab: Lab;
let node2: Machine;

beforeAll(async () => {
  lab = await labUp({ name: named('core'), machines: 3, user: 'ops', password: LOGIN, sudoPassword: SUDO });
  node2 = lab.machines[1]!;
});
afterEach(async () => {
  await clearFaults(node2);
  await forgetEffects(lab.machines);
});

/** A host that does not let us work: it is set aside, the others get all they should, and --resume takes it in again. */
interface Refusal {
  readonly fault: string;
  /** Of node2 in the cluster file. */
  readonly login?: (lab: Lab) => Readonly<Record<string, unknown>>;
  readonly make?: string;
  readonly mend?: string;
  readonly says: readonly (string | RegExp)[];
}

const keyless = { privateKeyPath: undefined };
const refusals: readonly Refusal[] = [
  {
    fault: 'a host that does not answer',
    login: ({ machines: [first] }) => ({ address: first!.address.replace(/\d+$/, '250'), timeout: '3s' }),
    says: ['HOST_UNREACHABLE', 'node2 cannot be reached', 'came about in 3 s', /Try +ssh -v -p 22 [\d.]+250 true/],
  },
  {
    fault: 'a host that refuses connections',
    login: () => ({ timeout: '3s' }),
    make: 'systemctl stop ssh',
    mend: 'systemctl start ssh',
    says: ['HOST_UNREACHABLE', 'node2 cannot be reached', 'ECONNREFUSED'],
  },
  {
    fault: 'a wrong password',
    login: () => ({ ...keyless, password: 'wrong-Canary-1' }),
    says: ['AUTH_FAILED', 'node2 does not let ops in', 'Tried, each once: password', /Try +ssh -v -p 22 ops@/],
  },
  {
    fault: 'a wrong key',
    login: () => ({ privateKeyPath: join(lab.paths.folder, 'other_key'), password: undefined }),
    says: ['AUTH_FAILED', 'node2 does not let ops in', /Tried, each once: private key \S+other_key/],
  },
  {
    fault: 'a user without sudo',
    make: 'mv /etc/sudoers.d/kubexm-lab /root/sudoers',
    mend: 'mv /root/sudoers /etc/sudoers.d/kubexm-lab',
    login: () => ({ sudoPassword: LOGIN }),
    says: ['SUDO_NOT_ALLOWED', 'ops may not become root on node2', 'not in the sudoers', /Try +As root on node2: echo/],
  },
  {
    fault: 'a wrong sudo password',
    login: () => ({ sudoPassword: 'wrong-Canary-2' }),
    says: ['SUDO_PASSWORD_WRONG', 'sudo on node2 refuses the password', 'It was tried once', /Try +Mend sudoPassword/],
  },
  {
    fault: 'a missing sudo password',
    login: () => ({ sudoPassword: undefined, password: undefined }),
    says: ['SUDO_PASSWORD_MISSING', 'sudo on node2 asks for a password', /Try +Give sudoPassword/],
  },
  {
    fault: 'sudo that wants a terminal',
    make: "echo 'Defaults requiretty' >/etc/sudoers.d/tty",
    mend: 'rm /etc/sudoers.d/tty',
    says: ['SUDO_NEEDS_TTY', 'sudo on node2 wants a terminal', 'requiretty', 'Defaults:ops !requiretty'],
  },
];

describe('sets one host aside, does the work on the others, and goes on later:', () => {
  beforeAll(() => run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(lab.paths.folder, 'other_key')]));

  it.each(refusals)('$fault', async ({ login, make, mend, says }) => {
    const trial = await newTrial(lab);
    const changes: Changes = { node2: login?.(lab) ?? {} };
    if (make !== undefined) await scriptOn(node2, make);
    const first = await trial.run(WORK, changes).finally(() => mend !== undefined && scriptOn(node2, mend));
    for (const words of says) expect(first.text).toMatch(words);
    expect(first.text).toMatch(/^! node2 set aside at trial.file$/m);
    expect(first.text).toMatch(/Done, but for the hosts above, .*: 4 done, .*2 on hosts set aside/);
    expect(first.text).toMatch(/Go on +kubexm trial run -f \S+ --resume/);
    expect(first.text).not.toContain('Canary');
    expect(first.exit).toBe(3);
    expect(await effectsOf(lab.machines)).toEqual([1, 0, 1]);
    expect((await tryOnMachine(node2, ['test', '-e', '/etc/trial'])).exit).toBe(1);

    const second = await trial.run(WORK, {}, { flags: ['--resume'] });
    expect(second.exit, second.text).toBe(0);
    expect(await effectsOf(lab.machines)).toEqual([1, 1, 1]);
  });
});

it('refuses a host whose key is another one than before, with both fingerprints, until its user says so', async () => {
  const trial = await newTrial(lab);
  const unpinned = Object.fromEntries(lab.machines.map(({ name }) => [name, { hostKey: undefined }]));
  const print = async () => (await onMachine(node2, ['ssh-keygen', '-l', '-f', HOST_KEY])).split(' ')[1]!;
  expect((await trial.run(WORK, unpinned)).exit).toBe(0);
  await forgetEffects(lab.machines);
  const before = await print();
  await scriptOn(node2, newHostKey);
  try {
    const { exit, text } = await trial.run(WORK, unpinned);
    expect(exit).toBe(3);
    for (const words of ['HOST_KEY_CHANGED', before, await print(), 'Nothing was sent to it']) {
      expect(text).toContain(words);
    }
    expect(await effectsOf(lab.machines)).toEqual([1, 0, 1]);
    const [, remedy] = /Try +If the machine was made anew: (.*)/.exec(text) ?? [];
    await run(['sh', '-c', remedy!]);
    expect((await trial.run(WORK, unpinned, { flags: ['--resume'] })).exit).toBe(0);
    expect(await effectsOf(lab.machines)).toEqual([1, 1, 1]);
  } finally {
    await scriptOn(node2, oldHostKey);
  }
});

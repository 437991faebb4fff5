import { afterEach, beforeAll, expect, it } from 'vitest';
import { clearFaults, faults } from '../../src/lab/fault/faults.ts';
import { onMachine, scriptOn, tryOnMachine, type Machine } from '../../src/lab/machine/machine.ts';
import { run } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { file } from '../../src/step/common/file.ts';
import { defineStep } from '../../src/step/contract/step.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { badLogins, LOGIN_PASSWORD, prepareLogins, SUDO_PASSWORD } from './support/bad-logins.ts';
import {
  effectsOf,
  effectStep,
  removeEffects,
  HOST_KEY,
  replaceHostKey,
  restoreHostKey,
  TRIAL_STEPS,
} from './support/fault-steps.ts';
import { labNames } from './support.ts';
import { stepHarness } from './support/step-harness.ts';

const named = await labNames();
let lab: Lab;
let node2: Machine;

beforeAll(async () => {
  lab = await labUp({
    name: named('core'),
    machines: 2,
    user: 'ops',
    password: LOGIN_PASSWORD,
    sudoPassword: SUDO_PASSWORD,
  });
  node2 = lab.machines[1]!;
  await prepareLogins(lab, node2);
});
afterEach(async () => {
  await clearFaults(node2);
  await removeEffects(lab.machines);
});

it('quarantines hosts whose login fails, each with its own reason, and runs on the others', async () => {
  const port = (index: number) => 2200 + index;
  const ports = badLogins.map((_, index) => `Port ${port(index)}`).join('\\n');
  await scriptOn(
    node2,
    `printf 'AddressFamily inet\\n${ports}\\n' >/etc/ssh/sshd_config.d/ports.conf; systemctl restart ssh`,
  );
  const hosts = badLogins.map(({ fault, login }, index) => [
    fault,
    { like: 'node2', port: port(index), internalAddress: `10.9.9.${index + 1}`, ...login(lab) },
  ]);
  const harness = await stepHarness(lab);
  const { exit, text } = await harness.run(TRIAL_STEPS, Object.fromEntries(hosts));
  const causes = text.split(/^(?=! )/m);
  for (const { fault, expected } of badLogins) {
    const cause = causes.find((each) => each.startsWith(`! ${fault} (`));
    expect(cause, text).toMatch(/ quarantined at trial.file$/m);
    for (const words of expected(fault)) expect(cause).toMatch(words);
  }
  expect(text).toMatch(/State +Everything is done except 16 steps on /);
  expect(text).toMatch(/Steps +4 changed, 0 unchanged/);
  expect(text).toMatch(/Resume +kubexm trial run -f \S+ .*--resume/);
  expect(text).not.toContain('Canary');
  expect(exit).toBe(3);
  expect(await effectsOf(lab.machines)).toEqual([1, 1]);
});

it('rejects a changed host key with both fingerprints until the user accepts it', async () => {
  const harness = await stepHarness(lab);
  const unpinned = Object.fromEntries(lab.machines.map(({ name }) => [name, { hostKey: undefined }]));
  const fingerprint = async () => (await onMachine(node2, ['ssh-keygen', '-l', '-f', HOST_KEY])).split(' ')[1]!;
  expect((await harness.run(TRIAL_STEPS, unpinned)).exit).toBe(0);
  await removeEffects(lab.machines);
  const before = await fingerprint();
  await scriptOn(node2, replaceHostKey);
  try {
    const { exit, text } = await harness.run(TRIAL_STEPS, unpinned);
    expect(exit).toBe(3);
    for (const words of ['HOST_KEY_CHANGED', before, await fingerprint(), 'No commands or credentials were sent']) {
      expect(text).toContain(words);
    }
    expect(await effectsOf(lab.machines)).toEqual([1, 0]);
    const [, remedy] = /Try +If the machine was reinstalled: (.*)/.exec(text) ?? [];
    await run(['sh', '-c', remedy!]);
    expect((await harness.run(TRIAL_STEPS, unpinned, { flags: ['--resume'] })).exit).toBe(0);
    expect(await effectsOf(lab.machines)).toEqual([1, 1]);
  } finally {
    await scriptOn(node2, restoreHostKey);
  }
});

it('reattaches to a running command after a lost connection, and runs it only once', async () => {
  const proceed = '/root/trial-proceed';
  const slow = effectStep('trial.slow', {
    after: `echo started; until [ -e ${proceed} ]; do sleep 0.1; done; rm ${proceed}`,
  });
  const harness = await stepHarness(lab);
  const cut = async () => {
    for (const machine of lab.machines) await faults.reset.apply(machine);
    for (const machine of lab.machines) await onMachine(machine, ['touch', proceed]);
  };
  let cutting: Promise<void> | undefined;
  let started = 0;
  const { exit, text } = await harness.run(
    [slow],
    {},
    {
      onLine: (line) => {
        if (/trial.slow {2}started$/.test(line) && ++started === 2) cutting = cut();
      },
    },
  );
  await cutting;
  expect(exit, text).toBe(0);
  expect(text.match(/trial.slow {2}started/g)).toHaveLength(2);
  expect(await effectsOf(lab.machines)).toEqual([1, 1]);
});

const big = defineStep({
  name: 'trial.big',
  summary: 'Write a big file',
  parts: () => [file({ path: '/opt/trial/small', content: 'new\n' }), file({ path: '/opt/trial/big', content: BIG })],
});
const BIG = 'x'.repeat(3_000_000);
const hidden = () => onMachine(node2, ['find', '/opt/trial', '-name', '.*kubexm*']);

it('reports a full disk and leaves no partial files', async () => {
  await scriptOn(node2, 'mkdir -p /opt/trial; echo old >/opt/trial/small');
  await faults.fullDisk.apply(node2, { directory: '/opt/trial' });
  await scriptOn(node2, 'truncate -s -100K /opt/trial/.kubexm-full-disk');
  const harness = await stepHarness(lab);
  const { exit, text } = await harness.run([big]);
  expect(text).toMatch(/^x trial.big failed on node2 /m);
  expect(text).toContain('No space left on node2.');
  expect(text).toContain('There is not enough disk space for this operation: write /opt/trial/big.');
  expect(text).toMatch(/Disk: \/opt\/trial, \d+K free of/);
  expect(text).toMatch(/Try .*df -h; df -i; du -xh --max-depth=2 \/opt\/trial /);
  expect(text).toContain('HOST_DISK_FULL');
  expect(text).toMatch(/State +Task try was rolled back on node1, node2/);
  expect(exit).toBe(12);
  expect(await hidden()).toBe('/opt/trial/.kubexm-full-disk\n');
  expect(await onMachine(node2, ['cat', '/opt/trial/small'])).toBe('old\n');
  expect((await tryOnMachine(node2, ['test', '-e', '/opt/trial/big'])).exit).toBe(1);

  await clearFaults(node2);
  expect((await harness.run([big], {}, { flags: ['--resume'] })).exit).toBe(0);
  expect(await onMachine(node2, ['cat', '/opt/trial/big'])).toBe(BIG);
});

it('reports a read-only file system, and resumes when it is writable', async () => {
  await scriptOn(node2, 'mkdir -p /opt/trial; mount -t tmpfs -o ro tmpfs /opt/trial');
  const harness = await stepHarness(lab);
  const { exit, text } = await harness.run([big]).finally(() => scriptOn(node2, 'umount /opt/trial'));
  expect(text).toMatch(/^x trial.big failed on node2 /m);
  expect(text).toContain('A file system on node2 is read-only.');
  expect(text).toMatch(/\/opt\/trial\S*: Read-only file system/);
  expect(text).toMatch(/Try .*\/proc\/mounts/);
  expect(text).toContain('HOST_READ_ONLY');
  expect(exit).toBe(12);
  const again = await harness.run([big], {}, { flags: ['--resume'] });
  expect(again.exit, again.text).toBe(0);
});

it('works with MaxSessions 1, csh as login shell and a banner', async () => {
  await scriptOn(
    node2,
    `echo 'MaxSessions 1' >/etc/ssh/sshd_config.d/few.conf
     echo 'Banner /etc/motd.trial' >>/etc/ssh/sshd_config.d/few.conf; echo 'Welcome! It is "free" $HOME' >/etc/motd.trial
     usermod -s /bin/csh ops; echo 'echo hello from csh' >~ops/.cshrc; systemctl restart ssh`,
  );
  const harness = await stepHarness(lab);
  try {
    const { exit, text } = await harness.run(TRIAL_STEPS);
    expect(exit, text).toBe(0);
    expect(text).not.toMatch(/hello|Welcome/);
    expect(await effectsOf(lab.machines)).toEqual([1, 1]);
  } finally {
    await scriptOn(
      node2,
      'rm /etc/ssh/sshd_config.d/few.conf ~ops/.cshrc; usermod -s /bin/bash ops; systemctl restart ssh',
    );
  }
});

it('tells a second operator who holds the lock', async () => {
  const proceed = '/root/trial-proceed';
  const slow = effectStep('trial.slow', {
    after: `echo started; until [ -e ${proceed} ]; do sleep 0.1; done; rm ${proceed}`,
  });
  const harness = await stepHarness(lab);
  const elsewhere = await stepHarness(lab);
  let second: ReturnType<typeof kubexm> | undefined;
  const { exit } = await harness.run(
    [slow],
    {},
    {
      onLine: (line) => {
        if (second || !/trial.slow {2}started$/.test(line)) return;
        second = kubexm(
          ['create', 'cluster', '--tags', 'os', '-f', lab.paths.cluster, '--workdir', elsewhere.workdir],
          {
            KUBEXM_HOME: process.env['KUBEXM_HOME']!,
          },
        );
        void second.then(() => Promise.all(lab.machines.map((machine) => onMachine(machine, ['touch', proceed]))));
      },
    },
  );
  expect(exit).toBe(0);
  const refused = await second!;
  expect(refused.stderr).toMatch(new RegExp(`^x ${lab.name} is locked by \\S+@\\S+$`, 'm'));
  expect(refused.stderr).toMatch(
    /has been running trial run since \S+ \(run \S+\) and keeps renewing the lock on node\d/,
  );
  expect(refused.stderr).toMatch(/Try +Wait until that run ends/);
  expect(refused.stderr).toContain('LOCKED');
  expect(refused.exit).toBe(15);
});

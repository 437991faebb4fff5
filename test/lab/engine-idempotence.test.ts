import { beforeAll, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { restore, statesOf } from '../e2e/support/kill-runs.ts';
import { watchMachine } from '../e2e/support/proof-machine.ts';
import { proofProgram, recordsOf } from '../e2e/support/proof-program.ts';
import { labNames } from './support.ts';

const named = await labNames();
const name = named('same');
const program = proofProgram();
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({ name, machines: 2 });
  await Promise.all(lab.machines.map(watchMachine));
  await restore(lab);
}, 900_000);

// Includes modification times, to detect files rewritten with the same content.
const machineStates = () =>
  Promise.all(
    lab.machines.map((machine) =>
      scriptOn(
        machine,
        String.raw`find / -xdev \( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /dev -o -path /var/log \
  -o -path /var/lib/chrony -o -path /var/lib/systemd \) -prune -o -printf '%p %y %m %u:%g %s %T@ %l\n' | sort
systemctl list-units --all --no-legend --plain --no-pager --type=service,socket,mount 'kx*' 'srv-*'; getent passwd; sysctl -a 2>/dev/null | grep keepalive`,
      ),
    ),
  );
const filesIn = (folder: string) => execFileSync('find', [folder, '-printf', '%p %y %m %s %T@\n']).toString();

async function dryRun(workdir: string): Promise<readonly { readonly changes: readonly object[] }[]> {
  const { exit, stdout, stderr } = await program.run(lab, { workdir, flags: ['--dry-run', '-o', 'json'] });
  expect(exit, stderr).toBe(0);
  return JSON.parse(stdout).steps;
}

it('a dry run changes nothing, neither locally nor on the machines', async () => {
  const workdir = program.newWorkdir();
  const [before, here] = [await machineStates(), filesIn(workdir)];
  const steps = await dryRun(workdir);
  expect(steps).toHaveLength(60);
  expect(steps.filter(({ changes }) => changes.length > 0).length).toBeGreaterThan(56);
  expect(await machineStates()).toEqual(before);
  expect(filesIn(workdir)).toBe(here);
}, 300_000);

it('a second run and a later dry run find nothing to do', async () => {
  const workdir = program.newWorkdir();
  expect(await program.run(lab, { workdir })).toMatchObject({ exit: 0 });
  const [before, states] = [await machineStates(), await statesOf(lab)];

  const again = await program.run(lab, { workdir, flags: ['-o', 'json'] });
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'done', counts: { done: 0, skipped: 60 } });
  expect(new Set(recordsOf(workdir, lab.name).map(({ type }) => type))).toEqual(
    new Set(['source', 'begun', 'host', 'skipped', 'ended']),
  );
  expect((await statesOf(lab)).map(({ effects }) => effects)).toEqual(states.map(({ effects }) => effects));

  const here = filesIn(workdir);
  expect((await dryRun(workdir)).flatMap(({ changes }) => changes)).toEqual([]);
  expect(filesIn(workdir)).toBe(here);
  const lock = /\/var\/lib\/kubexm\b/;
  const without = (text: string) => text.split('\n').filter((line) => !lock.test(line));
  expect((await machineStates()).map(without)).toEqual(before.map(without));
}, 300_000);

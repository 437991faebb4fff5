import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connector } from '../../src/connector/connector.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { sh } from '../../src/runner/command.ts';
import { command } from '../../src/step/common/command.ts';
import { file } from '../../src/step/common/file.ts';
import { guarded, type Guard } from '../../src/step/common/guarded.ts';
import { connect } from './support/connect.ts';
import { stepContexts, type MachineContext } from './support/step-context.ts';
import { labNames, ssh } from './support.ts';

const named = await labNames();
const name = named('guard');
let lab: Lab;
let machine: Machine;
let connector: Connector;
let newContext: () => MachineContext;
beforeAll(async () => {
  lab = await labUp({ name, machines: 1 });
  machine = lab.machines[0]!;
  connector = connect(lab, machine);
  newContext = await stepContexts(connector);
});
afterAll(() => connector[Symbol.asyncDispose]());

const path = '/etc/kubexm-guarded';
const fresh = '/etc/kubexm-none/of/it';
const guard: Guard = {
  name: 'trial',
  paths: [path, fresh],
  apply: sh`nft delete table inet trial; true`,
  seconds: 20,
};

/** A firewall that rejects new connections and keeps established ones. */
const cutOff = guarded(
  command({
    key: 'command:shut everybody out',
    summary: 'shut everybody out',
    check: sh`nft list table inet trial >/dev/null 2>&1`,
    run: sh`echo new >/etc/kubexm-guarded; mkdir -p /etc/kubexm-none/of; echo new >/etc/kubexm-none/of/it
nft 'table inet trial { chain in { type filter hook input priority 0; policy drop; ct state established accept; iif lo accept; }; }'`,
  }),
  guard,
);
const reachable = async () => (await ssh(lab, 'node1', 'true', '-o', 'ConnectTimeout=3')).exit === 0;
const timers = () =>
  scriptOn(machine, `systemctl list-units --all --no-legend 'kubexm-guard-*' | wc -l; ls /var/lib/kubexm-before`);

it('a change that cuts off the connection fails, and the host reverts it by itself', async () => {
  await scriptOn(machine, `echo old >${path}; chmod 640 ${path}`);
  await expect(cutOff.run(newContext())).rejects.toMatchObject({ code: 'HOST_CUT_OFF' });
  await expect.poll(reachable, { timeout: 300_000, interval: 500 }).toBe(true);
  expect(await scriptOn(machine, `stat -c %a ${path}; cat ${path}; ls /etc/kubexm-none 2>/dev/null || true`)).toBe(
    '640\nold\n',
  );
  await expect.poll(timers, { timeout: 120_000 }).toBe('0\n');
});

it('a successful change is confirmed over a new connection, which removes the timer', async () => {
  const ctx = newContext();
  const part = guarded(file({ path, content: 'good\n' }), { ...guard, seconds: 300 });
  await part.run(ctx);
  expect(await part.precheck(ctx)).toEqual({ done: true });
  expect(await timers()).toBe('0\n');
});

it('an unconfirmed change is not done, and the next run confirms it', async () => {
  const ctx = newContext();
  const part = guarded(file({ path, content: 'better\n' }), { ...guard, seconds: 300 });
  const dying = { ...ctx, runner: { ...ctx.runner, checkNewConnection: () => Promise.reject(new Error('killed')) } };
  await expect(part.run(dying)).rejects.toMatchObject({ code: 'HOST_CUT_OFF' });
  expect(await part.precheck(ctx)).toMatchObject({
    because: 'not confirmed yet that the host is still reachable',
  });
  await part.run(ctx);
  expect(await part.precheck(ctx)).toEqual({ done: true });
  expect(await ctx.runner.read(path)).toBe('better\n');
  expect(await timers()).toBe('0\n');
});

it('falls back to a background process without systemd-run', async () => {
  await scriptOn(machine, `echo old >${path}; mv /usr/bin/systemd-run /usr/bin/systemd-run.off`);
  await expect(cutOff.run(newContext())).rejects.toMatchObject({ code: 'HOST_CUT_OFF' });
  await expect.poll(reachable, { timeout: 300_000, interval: 500 }).toBe(true);
  await scriptOn(machine, 'mv /usr/bin/systemd-run.off /usr/bin/systemd-run');
  expect(await scriptOn(machine, `cat ${path}`)).toBe('old\n');
});

import { expect, it } from 'vitest';
import type { Json } from '../../src/common/json.ts';
import { loadCluster } from '../../src/config/load/load.ts';
import { onMachine, type Machine } from '../../src/lab/machine/machine.ts';
import { absent } from '../../src/step/common/absent.ts';
import { file } from '../../src/step/common/file.ts';
import { managedBlock } from '../../src/step/common/managed-block.ts';
import { packages } from '../../src/step/common/packages.ts';
import { sysctl } from '../../src/step/common/sysctl.ts';
import { configuredService } from '../../src/step/common/configured-service.ts';
import { hostname } from '../../src/step/os/hostname.ts';
import { swap } from '../../src/step/os/swap.ts';
import type { GenericStep, StepContext } from '../../src/step/contract/part.ts';
import type { MachineContext } from './support/step-context.ts';
import { bootOneMachine } from './support/one-machine.ts';
import { labNames } from './support.ts';

const named = await labNames();
let machine: Machine;
let newContext: () => MachineContext;
bootOneMachine(named('undo'), (one) => ({ machine, newContext } = one));

/** Runs parts like the engine does, and returns an undo function that rolls them back in reverse order. */
async function apply(parts: readonly GenericStep[], ctx: StepContext) {
  const begun: { readonly part: GenericStep; readonly before: Json }[] = [];
  const undo = async () => {
    for (const { part, before } of begun.toReversed()) await part.rollback?.(ctx, before);
  };
  try {
    for (const part of parts) {
      if ((await part.precheck(ctx)).done) continue;
      begun.push({ part, before: (await part.remember?.(ctx)) ?? null });
      await part.run(ctx);
      expect(await part.precheck(ctx)).toEqual({ done: true });
    }
  } catch (error) {
    return { undo, error, changed: begun.length };
  }
  return { undo, error: undefined, changed: begun.length };
}

const service = (config: string) =>
  configuredService({
    unit: 'kubexm-web.service',
    files: [
      file({ path: '/etc/kubexm-web.conf', content: config }),
      file({
        path: '/etc/systemd/system/kubexm-web.service',
        content: `[Service]
ExecStart=/bin/sh -c '. /etc/kubexm-web.conf; cp /etc/kubexm-web.conf /run/kubexm-web.read; exec sleep $$seconds'
[Install]
WantedBy=multi-user.target
`,
      }),
    ],
    restartIfNewer: ['/etc/kubexm-web.conf', '/etc/systemd/system/kubexm-web.service'],
  });
const hasRead = () => onMachine(machine, ['cat', '/run/kubexm-web.read']);
const state = () => newContext().runner.services.state('kubexm-web.service');

it('undo restores the old configuration of a service that fails with the new one', async () => {
  expect(await apply(service('seconds=1000\n'), newContext())).toMatchObject({ error: undefined, changed: 4 });
  expect(await hasRead()).toBe('seconds=1000\n');
  expect(await apply(service('seconds=1000\n'), newContext())).toMatchObject({ error: undefined, changed: 0 });

  const { error, undo } = await apply(service('seconds=never\n'), newContext());
  expect(error).toMatchObject({ code: 'SERVICE_FAILED', message: expect.stringContaining('never') });
  expect(await state()).toMatchObject({ active: false });
  await undo();
  expect(await hasRead()).toBe('seconds=1000\n');
  expect(await state()).toMatchObject({ active: true, enabled: true });
  await undo();
  expect(await state()).toMatchObject({ active: true, enabled: true });
});

it('undo restores the old configuration of a service that runs with the new one', async () => {
  const { error, undo, changed } = await apply(service('seconds=2000\n'), newContext());
  expect({ error, changed }).toEqual({ error: undefined, changed: 3 });
  expect(await hasRead()).toBe('seconds=2000\n');
  await undo();
  expect(await hasRead()).toBe('seconds=1000\n');
  expect(await apply(service('seconds=1000\n'), newContext())).toMatchObject({ changed: 0 });
});

it('undo of a block keeps lines that others added later', async () => {
  const ctx = newContext();
  await ctx.runner.write({ path: '/etc/kubexm-hosts', content: 'mine\n', mode: 0o644, owner: 'root:root' });
  const block = managedBlock({ path: '/etc/kubexm-hosts', marker: 'x', content: 'ours\n' });
  const { undo } = await apply([block], ctx);
  await onMachine(machine, ['sh', '-c', 'echo later >>/etc/kubexm-hosts']);
  await undo();
  expect(await ctx.runner.read('/etc/kubexm-hosts')).toBe('mine\nlater\n');
});

it('undo of sysctls keeps values that others set later', async () => {
  const ctx = newContext();
  const path = '/etc/sysctl.d/95-kubexm-undo.conf';
  const [mine, ours] = ['/proc/sys/net/ipv4/tcp_keepalive_time', '/proc/sys/net/ipv4/tcp_keepalive_probes'];
  const values = { 'net.ipv4.tcp_keepalive_time': 601, 'net.ipv4.tcp_keepalive_probes': 5 };
  const before = await ctx.runner.read(ours);
  const { undo } = await apply([sysctl({ path, values })], ctx);
  await onMachine(machine, ['sh', '-c', `echo 900 >${mine}`]);
  await undo();
  expect([await ctx.runner.read(mine), await ctx.runner.read(ours)]).toEqual(['900\n', before]);
  expect(await ctx.runner.stat(path)).toBeUndefined();
});

it('undo of the host name keeps a name that others set later', async () => {
  const ctx = newContext();
  const [written, live] = hostname.parts({ ...ctx, host: { ...ctx.host, name: 'ours' } });
  const { undo, changed } = await apply([written!, live!], ctx);
  expect(changed).toBe(2);
  await onMachine(machine, ['sh', '-c', 'echo later >/etc/hostname; hostname later']);
  await undo();
  expect(await onMachine(machine, ['sh', '-c', 'hostname; cat /etc/hostname'])).toBe('later\nlater\n');
});

it('undo of swap skips devices that no longer exist', async () => {
  const ctx = newContext();
  const cluster = await loadCluster('test/fixtures/prepare-os.yaml', {});
  const part = swap(cluster).parts(ctx).at(-1)!;
  await part.rollback?.(ctx, { active: ['-2 /dev/kubexm-gone', '5 /etc/hostname'], units: [] });
  expect(ctx.said).toEqual([
    '/dev/kubexm-gone stays off, because it is no longer a swap device',
    '/etc/hostname stays off, because it is no longer a swap device',
  ]);
});

it('undo removes two blocks from one file', async () => {
  const ctx = newContext();
  await ctx.runner.write({ path: '/etc/kubexm-two', content: 'mine', mode: 0o644, owner: 'root:root' });
  const block = (marker: string) => managedBlock({ path: '/etc/kubexm-two', marker, content: marker });
  const { undo } = await apply([block('a'), block('b')], ctx);
  await undo();
  expect(await ctx.runner.read('/etc/kubexm-two')).toBe('mine');
});

it('undo of packages keeps packages that others installed later and their dependencies', async () => {
  const { undo, error } = await apply([packages(['jq'])], newContext());
  expect(error).toBeUndefined();
  const mine =
    'Package: mine\\nVersion: 1\\nArchitecture: all\\nMaintainer: me\\nDepends: libjq1\\nDescription: mine\\n';
  await onMachine(machine, [
    'sh',
    '-ec',
    `mkdir -p /root/mine/DEBIAN; printf '${mine}' >/root/mine/DEBIAN/control; dpkg-deb -b /root/mine; dpkg -i /root/mine.deb`,
  ]);
  await undo();
  const left = await onMachine(machine, [
    'sh',
    '-c',
    'dpkg-query -W -f "\\${Package}\\n" jq libjq1 libonig5 mine 2>/dev/null; true',
  ]);
  expect(left.trim().split('\n')).toEqual(['libjq1', 'libonig5', 'mine']);
});

it('backups are private to root, and undo fails if a backup is missing', async () => {
  const ctx = newContext();
  const path = '/etc/kubexm-kept';
  await ctx.runner.write({ path, content: 'old', mode: 0o600, owner: 'root:root' });
  const { undo } = await apply([file({ path, content: 'new', secret: true }), absent({ path: '/etc/motd' })], ctx);
  expect(await ctx.runner.stat(ctx.keepDir)).toMatchObject({ mode: 0o700, owner: 'root:root' });
  await onMachine(machine, ['rm', '-r', ctx.keepDir]);
  await expect(undo()).rejects.toMatchObject({ code: 'KEPT_COPY_MISSING' });
  expect(await ctx.runner.read(path)).toBe('new');
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { hostState } from '../lab/support/host-state.ts';
import { needsRuntimeMirror, runtimeClusterFile, POD, RUNTIME, runtimeMirror } from '../lab/support/runtime-mirror.ts';
import { labNames } from '../lab/support.ts';

const named = await labNames();
const name = named('runtime');

describe('containerd on three machines', { timeout: 1_800_000, ...(await needsRuntimeMirror()) }, () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let file: string;
  let before: readonly (readonly string[])[];
  const states = () => Promise.all(lab.machines.map(hostState));
  const env = () => ({ KUBEXM_HOME: process.env['KUBEXM_HOME']! });
  const argsOf = (...args: readonly string[]) => [...args, '-f', file, '--workdir', lab.paths.folder];
  const call = (...args: readonly string[]) => kubexm(argsOf(...args), env());
  const CREATE = ['create', 'cluster', '--skip-preflight', '--tags', 'prepare-assets,container-runtime'];
  const statusOn = (machine: Machine) => scriptOn(machine, 'crictl images -q | wc -l; systemctl is-active containerd');

  beforeAll(async () => {
    lab = await labUp({ name, machines: 3 });
    mirror = await runtimeMirror(lab);
    file = await runtimeClusterFile(lab, mirror);
    before = await states();
  });
  afterAll(() => mirror.close());

  /** Kills kubexm when a line of its output matches. */
  async function killAtLine(pattern: RegExp, ...args: readonly string[]): Promise<void> {
    const child = spawn(resolve('bin/kubexm'), argsOf(...args, '--verbose'), {
      env: { ...process.env, ...env() },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    for await (const line of createInterface({ input: child.stderr })) {
      if (!pattern.test(line)) continue;
      child.kill('SIGKILL');
      break;
    }
    expect((await ended)[1]).toBe('SIGKILL');
  }

  it('is installed despite kills during upload and start, and a re-run changes nothing', async () => {
    await killAtLine(/uploading containerd/, ...CREATE);
    await killAtLine(/containerd\.run +Configure/, ...CREATE, '--resume');
    const { exit, stderr } = await call(...CREATE, '--resume');
    expect(exit, stderr).toBe(0);
    for (const machine of lab.machines) expect(await statusOn(machine)).toBe('1\nactive\n');
    const again = await call(...CREATE);
    expect(again.stderr).toContain('Nothing to do');
    expect((await call('delete', 'cluster', '--yes')).exit).toBe(0);
    expect(await states()).toEqual(before);
  });

  it('is installed from the local cache if nothing else is reachable', async () => {
    await mirror.close();
    const { exit, stderr } = await call(...CREATE, '--offline');
    expect(exit, stderr).toBe(0);
    for (const machine of lab.machines) {
      expect(await statusOn(machine)).toBe('1\nactive\n');
      expect(await scriptOn(machine, 'crictl images -o json')).toContain(RUNTIME.pause);
    }
  });

  it('is uninstalled even if it is broken', async () => {
    const [first, second, third] = lab.machines;
    for (const machine of lab.machines)
      await scriptOn(machine, `echo '${POD}' >/root/pod.json && crictl runp /root/pod.json && rm /root/pod.json`);
    await scriptOn(first!, 'systemctl kill -s KILL containerd; systemctl stop containerd');
    await scriptOn(second!, 'rm /usr/local/bin/containerd /usr/local/bin/crictl');
    await scriptOn(third!, 'rm /run/containerd/containerd.sock');
    const { exit, stderr } = await call('delete', 'cluster', '--yes');
    expect(exit, stderr).toBe(0);
    expect(await states()).toEqual(before);
    for (const machine of lab.machines)
      expect(await scriptOn(machine, 'pgrep containerd-shim || true; ls -A /var/lib/containerd')).toBe('');
  });
});

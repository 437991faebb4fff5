import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { localArch } from '../../src/lab/mirror/build-context.ts';
import { mirrorPaths } from '../../src/lab/mirror/paths.ts';
import { readRecords } from '../../src/lab/mirror/records.ts';
import { run } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { labNames, sshText } from '../lab/support.ts';
import { skipUnless } from '../skip-unless.ts';

const named = await labNames();
const lab = named('world');
const home = process.env['KUBEXM_HOME']!;
const mirror = join(home, 'mirror');
const call = (...args: readonly string[]) => kubexm(['lab', 'mirror', ...args], { KUBEXM_HOME: home });
const start = (...args: readonly string[]) =>
  spawn(resolve('bin/kubexm'), ['lab', 'mirror', ...args], {
    env: { ...process.env, KUBEXM_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });

const COMPONENTS = 'containerd,runc,pause,haproxy,kubernetes';
const BUILD = ['build', '--versions', '1.36.3', '--components', COMPONENTS];
const needsSeed = skipUnless(process.env['KUBEXM_LAB_SEED'], 'KUBEXM_LAB_SEED is not set');
const records = async () =>
  (await readdir(join(mirror, 'records')).catch(() => [])).filter((name) => name.endsWith('.json'));

describe('a mirror built from the seed', needsSeed, () => {
  test('a build killed at any component can be continued and gives the same result', async () => {
    expect((await call(...BUILD, '--dry-run')).stdout).toContain('Would build kubernetes-v1.36.3');
    for (const finished of [1, 3, 5]) {
      const child = start(...BUILD);
      child.stderr.resume();
      while ((await records()).length < finished && child.exitCode === null) await sleep(20);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
    }
    const finished = (await records()).length;
    expect(finished).toBeGreaterThanOrEqual(5);
    const { exit, stdout, stderr } = await call(...BUILD);
    expect(exit, stderr).toBe(0);
    expect(stdout.match(/cached/g)).toHaveLength(finished);
    expect(stderr).toMatch(/6 components in \d+\.\d s/);
    await run(['sh', '-c', `cd ${mirror} && sha256sum --check --quiet --strict --ignore-missing SHA256SUMS`]);
    await run([
      'sh',
      '-c',
      `cd ${mirror}/images/blobs/sha256 && for f in *; do echo "$f  $f"; done | sha256sum --check --quiet`,
    ]);
    expect((await call(...BUILD, '--dry-run')).stdout).toBe('Nothing to do.\n');
  });

  test('builds everything available from the seed and Debian quickly', async () => {
    const components = 'kubernetes,containerd,etcd,flannel,coredns,cni-plugins,runc,pause,haproxy,nginx';
    const dir = join(home, 'timed');
    const { exit, stderr } = await call('build', '--versions', '1.36.3', '--components', components, '--dir', dir);
    expect(exit, stderr).toBe(0);
    const [summary] = /\d+ components in \d+\.\d s/.exec(stderr) ?? [];
    console.log(`mirror built from the seed: ${summary}`);
    const origins = (await readRecords(mirrorPaths(dir))).map(({ from }) => from);
    expect(origins.filter((from) => from === 'seed').length).toBeGreaterThanOrEqual(5);
    await rm(dir, { recursive: true });
  });

  describe('served to a machine', () => {
    let node: Lab;
    let ctr: (args: string) => Promise<string>;
    beforeAll(async () => {
      node = await labUp({ name: lab, machines: 1 });
      ctr = (args) => sshText(node, 'node1', `/usr/local/bin/ctr ${args}`);
    });

    test('runs containers from the mirror alone, and Ctrl-C stops the server', async () => {
      const server = start('serve', '--lab', lab, '--listen', '127.0.0.1:0');
      const ended = once(server, 'exit');
      try {
        const url = await gatewayUrl(server.stderr);
        const host = new URL(url).host;
        const fetch = (path: string) => `curl -sS --fail ${url}github.com/${path}`;
        const containerd = `containerd/containerd/releases/download/v2.2.9/containerd-2.2.9-linux-${localArch()}.tar.gz`;
        const runc = `opencontainers/runc/releases/download/v1.1.5/runc.${localArch()}`;
        await sshText(node, 'node1', `${fetch(containerd)} | tar -xz -C /usr/local`);
        await sshText(node, 'node1', `${fetch(runc)} >/usr/local/sbin/runc && chmod +x /usr/local/sbin/runc`);
        await sshText(node, 'node1', 'systemd-run --unit containerd --collect /usr/local/bin/containerd');
        await sshText(
          node,
          'node1',
          'timeout 30 sh -c "until /usr/local/bin/ctr version; do sleep 0.2; done" >/dev/null 2>&1',
        );
        const outputOf = async (image: string, command: string) => {
          await ctr(`images pull --plain-http ${host}/${image} >/dev/null`);
          return ctr(`run --rm ${host}/${image} it-${Math.random().toString(36).slice(2)} ${command}`);
        };
        expect(await outputOf('registry.k8s.io/kube-apiserver:v1.36.3', 'kube-apiserver --version')).toBe(
          'Kubernetes v1.36.3',
        );
        expect(await outputOf('registry.k8s.io/kube-proxy:v1.36.3', 'kube-proxy --version')).toBe('Kubernetes v1.36.3');
        expect(await outputOf('registry.k8s.io/kube-proxy:v1.36.3', 'iptables --version')).toContain('nf_tables');
        expect(await outputOf('docker.io/library/haproxy:2.6.12', 'haproxy -v')).toContain('HAProxy version 2.6.12');
      } finally {
        server.kill('SIGINT');
      }
      expect(await ended).toEqual([0, null]);
    });
  });
});

/** The URL for machines, which is the second one printed. */
async function gatewayUrl(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const found = /^Serving .* and (http:\S+)$/.exec(line)?.[1];
    if (found) return found;
  }
  throw new Error('the server exited before it printed its URL');
}

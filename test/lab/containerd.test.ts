import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { runKubexm } from './support/lab-cluster.ts';
import { hostState } from './support/host-state.ts';
import { needsRuntimeMirror, runtimeClusterFile, POD, RUNTIME, runtimeMirror } from './support/runtime-mirror.ts';
import { labNames, sshText } from './support.ts';

const named = await labNames();
const name = named('containerd');

describe('containerd on a machine', await needsRuntimeMirror(), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let file: string;
  let before: readonly string[];
  const on = (command: string) => sshText(lab, 'node1', command);
  const state = () => hostState(lab.machines[0]!);
  const call = (...args: readonly string[]) => runKubexm(lab, file, ...args);
  const create = (...args: readonly string[]) =>
    call('create', 'cluster', '--skip-preflight', '--tags', 'prepare-assets,container-runtime', ...args);

  beforeAll(async () => {
    lab = await labUp({ name, machines: 1 });
    mirror = await runtimeMirror(lab);
    file = await runtimeClusterFile(lab, mirror);
    before = await state();
  });
  afterAll(() => mirror.close());

  it('fails with --offline if artifacts are missing from the cache', async () => {
    const { exit, stderr } = await create('--offline');
    expect(exit, stderr).not.toBe(0);
    expect(stderr).toContain('OFFLINE_MISSING');
  });

  it('is installed from the mirror, runs a pod, and pulls through the mirror', async () => {
    const { exit, stderr } = await create();
    expect(exit, stderr).toBe(0);
    expect(stderr).toMatch(/containerd\.prove +done/);
    expect(await on('systemctl is-enabled containerd; systemctl is-active containerd')).toBe('enabled\nactive');
    expect(await on('crictl images -o json')).toContain(RUNTIME.pause);
    expect(await on(`crictl inspecti -q ${RUNTIME.pause}`)).toContain(RUNTIME.pause);
    expect(await on('crictl inspecti -q example.com/none:1 >/dev/null 2>&1 || echo missing')).toBe('missing');
    expect(await on('crictl pods -q; ls /var/lib/kubexm/clusters/*/staging 2>/dev/null; true')).toBe('');
    const requestCount = mirror.requests().length;
    await on(`crictl rmi ${RUNTIME.pause} >/dev/null && crictl pull ${RUNTIME.pause}`);
    const paths = mirror
      .requests()
      .slice(requestCount)
      .map(({ path }) => path);
    expect(paths.some((path) => path.startsWith('/v2/registry.k8s.io/pause/manifests/'))).toBe(true);
  });

  it('changes nothing on a second run with --offline', async () => {
    const now = await state();
    const { exit, stderr } = await create('--offline');
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain('Nothing to do');
    expect(await state()).toEqual(now);
  });

  it('restarts after a configuration change, and its pods keep running', async () => {
    await on(`echo '${POD}' >/root/pod.json && crictl runp /root/pod.json`);
    const cluster = parse(await readFile(file, 'utf8'));
    const auths = { ...cluster.spec.registry.auths, 'hub.example.com': { username: 'ann', password: 'geheim-wort' } };
    await writeFile(file, stringify({ ...cluster, spec: { ...cluster.spec, registry: { auths } } }), { mode: 0o600 });
    const since = await on('systemctl show -p MainPID containerd');
    const { exit, stdout, stderr } = await create();
    expect(exit, stderr).toBe(0);
    expect(stdout + stderr).not.toContain('geheim-wort');
    expect(await on('systemctl show -p MainPID containerd')).not.toBe(since);
    expect((await on('crictl pods -q --state ready')).split('\n')).toHaveLength(1);
    expect(await on('stat -c %a /etc/containerd/certs.d/hub.example.com/hosts.toml /etc/containerd/config.toml')).toBe(
      '600\n600',
    );
  });

  it('rejects another data directory while the current one holds containers', async () => {
    const text = await readFile(file, 'utf8');
    const cluster = parse(text);
    const { kubernetes } = cluster.spec;
    const containerRuntime = { ...kubernetes.containerRuntime, dataDir: '/var/lib/docker/containerd' };
    const spec = { ...cluster.spec, kubernetes: { ...kubernetes, containerRuntime } };
    await writeFile(file, stringify({ ...cluster, spec }), { mode: 0o600 });
    const { exit, stderr } = await create();
    expect([exit, stderr]).toEqual([expect.any(Number), expect.stringContaining('DATA_DIR_IN_USE')]);
    await on('for p in $(crictl pods -q); do crictl stopp $p && crictl rmp $p; done');
    const moved = await create();
    expect(moved.exit, moved.stderr).toBe(0);
    expect(await on('ls /var/lib/docker/containerd | grep -c metadata')).toBe('1');
    // Deleting must work with either version of the cluster file.
    await writeFile(file, text, { mode: 0o600 });
    await on(`crictl runp /root/pod.json`);
  });

  it('is uninstalled with its pods, and the machine is restored to its original state', async () => {
    await on('rm /root/pod.json');
    const { exit, stderr } = await call('delete', 'cluster', '--yes');
    expect(exit, stderr).toBe(0);
    expect(await state()).toEqual(before);
    expect(await on('pgrep containerd-shim; ls /run | grep containerd; true')).toBe('');
    const folders = '/var/lib/containerd /var/lib/kubelet /var/lib/cni /var/lib/kubexm';
    expect(await on(`find ${folders} -mindepth 1 2>/dev/null; true`)).toBe('');
  });

  it('that was installed before keeps its containers, and is restored when the cluster is deleted', async () => {
    const [url = ''] = mirror.urls.slice(1);
    const github = `${url}github.com`;
    const { containerd, runc } = RUNTIME;
    await on(`set -e; cd /usr
curl -sSf ${github}/containerd/containerd/releases/download/v${containerd}/containerd-${containerd}-linux-amd64.tar.gz | tar -xz
curl -sSf -o bin/runc ${github}/opencontainers/runc/releases/download/v${runc}/runc.amd64 && chmod +x bin/runc
printf '[Service]\nExecStart=/usr/bin/containerd\nKillMode=process\nDelegate=yes\n[Install]\nWantedBy=multi-user.target\n' >/usr/lib/systemd/system/containerd.service
systemctl daemon-reload; systemctl enable -q --now containerd
until ctr version >/dev/null 2>&1; do sleep 0.2; done
ctr -n theirs images pull --plain-http ${new URL(url).host}/${RUNTIME.pause} >/dev/null
ctr -n theirs run -d --null-io ${new URL(url).host}/${RUNTIME.pause} mine`);
    const tasks = 'ctr -n theirs tasks ls | grep mine';
    const mine = await on(tasks);
    expect(mine).toContain('RUNNING');
    const created = await create();
    expect(created.exit, created.stderr).toBe(0);
    expect(
      await on(`echo '${POD}' >/root/pod.json; crictl runp /root/pod.json >/dev/null; rm /root/pod.json; ${tasks}`),
    ).toBe(mine);
    const { exit, stderr } = await call('delete', 'cluster', '--yes');
    expect(exit, stderr).toBe(0);
    expect(await on(tasks)).toBe(mine);
    expect(await on('pgrep -c containerd-shim; ls /usr/local/bin')).toBe('1');
    expect(await on('systemctl show -p ExecStart --value containerd')).toContain('/usr/bin/containerd');
  });
});

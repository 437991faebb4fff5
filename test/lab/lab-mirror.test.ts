import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/lab/fault/faults.ts';
import { tryOnMachine } from '../../src/lab/machine/machine.ts';
import { localArch } from '../../src/lab/mirror/build-context.ts';
import { serveMirror, type MirrorServer } from '../../src/lab/mirror/serve.ts';
import { gatewayOfLab } from '../../src/lab/network/network.ts';
import { run } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { buildMirror, MIRROR, needsMirror } from './built-mirror.ts';
import { labNames, ssh, sshText } from './support.ts';

const named = await labNames();
const COMPONENTS = ['containerd', 'cni-plugins', 'pause'];
const ARCHIVE = `github.com/containerd/containerd/releases/download/v2.2.9/containerd-2.2.9-linux-${localArch()}.tar.gz`;

describe('a mirror', await needsMirror('1.36.3', COMPONENTS), () => {
  let lab: Lab;
  let server: MirrorServer;
  let url: string;
  beforeAll(async () => {
    lab = await labUp({ name: named('mirror'), machines: 1 });
    await buildMirror('1.36.3', COMPONENTS);
    const listen = [
      { host: '127.0.0.1', port: 0 },
      { host: await gatewayOfLab(lab.name), port: 0 },
    ];
    server = await serveMirror({ folder: MIRROR, listen });
    url = server.urls[1]!;
  });
  afterAll(() => server.close());
  afterEach(() => server.faults.clear());

  const onNode = (command: string) => sshText(lab, 'node1', command);
  const publishedChecksum = async () => (await run(['grep', ARCHIVE, join(MIRROR, 'SHA256SUMS')])).slice(0, 64);
  const checksumOnNode = async (file: string) => (await onNode(`sha256sum ${file}`)).slice(0, 64);

  test('a machine downloads through its gateway and resumes a truncated download', async () => {
    server.faults.set('*', { type: 'truncated', times: 1 });
    const first = await ssh(lab, 'node1', `curl -sS -o /root/whole.tgz ${url}${ARCHIVE}`);
    expect(first.stderr).toContain('(18)');
    await onNode(`curl -sS --fail -C - -o /root/whole.tgz ${url}${ARCHIVE}`);
    expect(await checksumOnNode('/root/whole.tgz')).toBe(await publishedChecksum());
    expect(server.requests().at(-1)).toMatchObject({ status: 206, range: expect.stringMatching(/^bytes=\d{6,}-$/) });
  });

  test('a machine is affected by faults and cannot change them', async () => {
    server.faults.set('*.tar.gz', { type: 'error', status: 503 });
    expect(await onNode(`curl -s -o /dev/null -w '%{http_code}' ${url}${ARCHIVE}`)).toBe('503');
    server.faults.set('*.tar.gz', { type: 'wrong-content' });
    await onNode(`curl -sS --fail -o /root/wrong.tgz ${url}${ARCHIVE}`);
    expect(await checksumOnNode('/root/wrong.tgz')).not.toBe(await publishedChecksum());
    server.faults.set('*.tar.gz', { type: 'stall' });
    const stalled = await ssh(lab, 'node1', `curl -sS -o /dev/null --speed-time 2 --speed-limit 1 ${url}${ARCHIVE}`);
    expect(stalled.stderr).toContain('(28)');
    expect(await onNode(`curl -s -o /dev/null -w '%{http_code}' -X DELETE ${url}-/faults`)).toBe('403');
    expect(server.faults.list()).toHaveLength(1);
  });

  test('containerd from the mirror pulls an image from the mirror', async () => {
    await onNode(`curl -sS --fail ${url}${ARCHIVE} | tar -xz -C /usr/local`);
    await onNode('systemd-run --unit containerd --collect /usr/local/bin/containerd');
    const image = 'registry.k8s.io/pause:3.10.2';
    const pull = `timeout 300 sh -c 'until /usr/local/bin/ctr version >/dev/null 2>&1; do sleep 0.2; done'
    mkdir -p /etc/containerd/certs.d/registry.k8s.io
    printf 'server = "%s"\\n[host."%s"]\\n  capabilities = ["pull", "resolve"]\\n' ${url} ${url} >/etc/containerd/certs.d/registry.k8s.io/hosts.toml
    /usr/local/bin/ctr images pull --hosts-dir /etc/containerd/certs.d ${image} >/dev/null
    /usr/local/bin/ctr images ls -q`;
    expect(await onNode(pull)).toBe(image);
    expect(server.requests().map(({ path }) => path)).toContain('/v2/pause/manifests/3.10.2');
  });

  test('a machine without network cannot reach the mirror', async () => {
    const machine = lab.machines[0]!;
    await faults.cut.apply(machine);
    try {
      expect((await tryOnMachine(machine, ['curl', '-s', '-m', '2', url])).exit).toBe(28);
    } finally {
      await faults.cut.clear(machine);
    }
  });
});

import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { hostState } from '../lab/support/host-state.ts';
import { needsRuntimeMirror, runtimeClusterFile, runtimeMirror } from '../lab/support/runtime-mirror.ts';
import { labNames, ssh, sshText } from '../lab/support.ts';

const named = await labNames();
const name = named('pulls');
const NAME = 'images.example.com';
const PASSWORD = 'correct-horse-battery';
const CREATE = ['--skip-preflight', '--skip-tags', 'etcd,kubernetes,network,addon'];

describe('a cluster with its own registry', await needsRuntimeMirror('registry'), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let file: string;
  let before: readonly (readonly string[])[];
  const states = () => Promise.all(lab.machines.map(hostState));
  const succeed = async (...args: readonly string[]) => {
    const { exit, stderr } = await kubexm([...args, '-f', file, '--workdir', lab.paths.folder], {
      KUBEXM_HOME: process.env['KUBEXM_HOME']!,
    });
    expect(exit, stderr).toBe(0);
    expect(stderr).not.toContain(PASSWORD);
    return stderr;
  };

  beforeAll(async () => {
    lab = await labUp({ name, machines: 3 });
    mirror = await runtimeMirror(lab, 'registry');
    file = await runtimeClusterFile(lab, mirror);
    const cluster = parse(await readFile(file, 'utf8'));
    const { spec } = cluster;
    const registry = {
      type: 'registry',
      privateRegistry: NAME,
      namespaceOverride: 'kube',
      auths: { ...spec.registry.auths, [NAME]: { username: 'ann', password: PASSWORD } },
    };
    const roleGroups = { ...spec.roleGroups, registry: ['node1'] };
    await writeFile(file, stringify({ ...cluster, spec: { ...spec, roleGroups, registry } }), { mode: 0o600 });
    before = await states();
  }, 1_800_000);
  afterAll(() => mirror.close());

  it('stores the images, and all machines can pull them with their credentials and CA', async () => {
    await succeed('create', 'cluster', ...CREATE);
    expect(await sshText(lab, 'node1', 'systemctl is-active kubexm-registry containerd')).toBe('active\nactive');
    for (const machine of ['node1', 'node2', 'node3']) {
      const image = `${NAME}/kube/pause:3.10.2`;
      expect(await sshText(lab, machine, `crictl pull ${image} && crictl images -o json`)).toContain(image);
    }
  }, 1_800_000);

  it('serves images of public registries if nothing else is reachable', async () => {
    await mirror.close();
    const pull = (tag: string) =>
      ssh(
        lab,
        'node3',
        `crictl rmi registry.k8s.io/pause:${tag} >/dev/null 2>&1; crictl pull registry.k8s.io/pause:${tag}`,
      );
    expect(await pull('3.10.2')).toMatchObject({ exit: 0 });
    expect((await pull('3.1')).exit).not.toBe(0);
  });

  it('rejects clients without the password, and clients without its CA reject it', async () => {
    const ca = readFileSync(join(lab.paths.folder, '.kubexm', name, 'certs/registry/ca.crt'), 'utf8');
    await sshText(lab, 'node2', `cat >/tmp/ca.crt <<'E'\n${ca}E`);
    const url = `https://${NAME}/v2/kube/pause/tags/list`;
    const code = (flags: string) => ssh(lab, 'node2', `curl -s -o /dev/null -w '%{http_code}' ${flags} ${url}`);
    expect((await code('--cacert /tmp/ca.crt')).stdout).toBe('401');
    expect((await code('--cacert /tmp/ca.crt -u ann:wrong')).stdout).toBe('401');
    expect((await code(`--cacert /tmp/ca.crt -u ann:${PASSWORD}`)).stdout).toBe('200');
    expect((await code(`-u ann:${PASSWORD}`)).exit).toBe(60);
    // Pulling fails without the registry configuration of containerd.
    await sshText(lab, 'node3', 'mkdir /tmp/none');
    const pull = `ctr images pull --hosts-dir /tmp/none ${NAME}/kube/pause:3.10.2`;
    expect((await ssh(lab, 'node3', `PATH=/usr/local/bin:$PATH ${pull}`)).exit).not.toBe(0);
  });

  it('lets all machines pull with a password that kubexm generates', async () => {
    const { [NAME]: _, ...others } = parse(await readFile(file, 'utf8')).spec.registry.auths;
    await succeed('create', 'cluster', ...CREATE, '-e', `registry.auths=${JSON.stringify(others)}`);
    const image = `${NAME}/kube/pause:3.10.2`;
    for (const machine of ['node1', 'node2', 'node3'])
      expect(await ssh(lab, machine, `crictl rmi ${image} >/dev/null; crictl pull ${image}`)).toMatchObject({
        exit: 0,
      });
    const push = `curl -sk -o /dev/null -w '%{http_code}' -X POST https://${NAME}/v2/kube/pause/blobs/uploads/`;
    expect((await ssh(lab, 'node2', push)).stdout).toBe('401');
    await succeed('create', 'cluster', ...CREATE);
  }, 1_800_000);

  it('stays unchanged on a re-run, and the machines are restored on delete', async () => {
    expect(await succeed('create', 'cluster', ...CREATE)).toContain('Nothing to do');
    await sshText(lab, 'node3', 'rmdir /tmp/none');
    await succeed('delete', 'cluster', '--yes');
    expect(await states()).toEqual(before);
  }, 1_800_000);
});

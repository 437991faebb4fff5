import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAddition, type AdditionOptions } from '../../../../src/cli/execute/load-addition.ts';
import type { PipelineCall } from '../../../../src/cli/execute/run-pipeline.ts';
import { home } from '../kubexm.ts';
import { pipelineCall } from './pipeline-call.ts';

const TEXT = `apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata: { name: prod }
spec:
  hosts: # all
    - { name: node1, address: 10.0.0.11, user: ubuntu, password: secret-password }
    - { name: node2, address: 10.0.0.12, user: ubuntu, password: secret-password }
    - { name: node3, address: 10.0.0.13, user: ubuntu, password: secret-password }
  roleGroups:
    etcd: [node1]
    master: [node1]
    worker: ['node[2:3]']
  controlPlaneEndpoint: { internalLoadbalancer: haproxy }
`;

describe('the cluster with new hosts', () => {
  const load = (given: Partial<AdditionOptions>, options: Partial<PipelineCall['options']> = {}, text = TEXT) => {
    const workdir = home();
    const file = join(workdir, 'cluster.yaml');
    writeFileSync(file, text);
    const call = pipelineCall(workdir, { file, ...options });
    return { file, workdir, call, load: () => loadAddition(call, { nodes: [], role: [], names: [], ...given }) };
  };
  const loginOf = ({ cluster }: Awaited<ReturnType<typeof loadAddition>>) =>
    cluster.hosts.map(({ name, login }) => [name, login.user, login.privateKeyPath]);

  it('is planned before the file is changed', async () => {
    const { file, load: act } = load({ nodes: ['10.0.0.14,10.0.0.15'], role: ['worker'] });
    const { cluster, change, selected, warnings } = await act();
    expect(cluster.hosts.map(({ name, roles }) => [name, ...roles])).toEqual([
      ['node1', 'etcd', 'master'],
      ...['node2', 'node3', 'node4', 'node5'].map((name) => [name, 'worker']),
    ]);
    expect(selected).toEqual(new Set(['node4', 'node5']));
    expect(change).toMatchObject({ path: file, before: TEXT });
    expect(change?.after).toContain("worker: ['node[2:5]']");
    expect(warnings).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  it('needs no change of the file for hosts that it already has', async () => {
    const { load: act } = load({ nodes: ['10.0.0.13'], role: ['worker'] });
    const { change, selected } = await act();
    expect(change).toBeUndefined();
    expect(selected).toEqual(new Set(['node3']));
  });

  it('uses the SSH flags for the new hosts only', async () => {
    const key = join(homedir(), 'keys/new');
    const { load: act } = load({ nodes: ['10.0.0.14'], role: ['worker'] }, { sshUser: 'ops', sshPrivateKey: key });
    const loaded = await act();
    expect(loginOf(loaded)).toEqual([
      ...['node1', 'node2', 'node3'].map((name) => [name, 'ubuntu', undefined]),
      ['node4', 'ops', key],
    ]);
    expect(loaded.change?.after).toContain(
      '- { name: node4, address: 10.0.0.14, user: ops, privateKeyPath: ~/keys/new }',
    );
  });

  it('uses the SSH flags for all hosts without --nodes', async () => {
    const { load: act } = load({}, { sshUser: 'ops' });
    expect(new Set(loginOf(await act()).map(([, user]) => user))).toEqual(new Set(['ops']));
  });

  it('does not have other hosts that were never added', async () => {
    const { workdir, load: act } = load({ nodes: ['10.0.0.14'], role: ['worker'] });
    const applied = { kind: 'ClusterState', cluster: 'prod', kubexm: '0.1.0', run: 'r', created: '', applied: '' };
    const hosts = [
      { name: 'node1', roles: ['etcd', 'master'] },
      { name: 'node2', roles: ['worker'] },
    ];
    mkdirSync(join(workdir, '.kubexm/prod'), { recursive: true, mode: 0o700 });
    const state = JSON.stringify({ ...applied, versions: {}, files: {}, spec: { hosts } });
    writeFileSync(join(workdir, '.kubexm/prod/state.json'), state);
    expect((await act()).cluster.hosts.map(({ name }) => name)).toEqual(['node1', 'node2', 'node4']);
  });

  it('has warnings that the change causes', async () => {
    const { load: act } = load({ nodes: ['10.0.0.14'], role: ['etcd'] });
    expect((await act()).warnings.map(({ rule }) => rule)).toEqual(['etcd-odd']);
  });

  it.each<[string, Partial<AdditionOptions>, string, string]>([
    ['a role without hosts', { role: ['worker'] }, TEXT, 'USAGE'],
    ['an unknown role', { nodes: ['10.0.0.14'], role: ['wrker'] }, TEXT, 'USAGE'],
    ['a host without a role', { nodes: ['10.0.0.14'] }, TEXT, 'NODES_INVALID'],
    [
      'a file that would be invalid',
      { nodes: ['10.0.0.14'], role: ['master'] },
      TEXT.replace('internalLoadbalancer: haproxy', 'domain: api.example.com'),
      'CLUSTER_FILE_WOULD_BE_INVALID',
    ],
    [
      'a file that cannot be edited safely',
      { nodes: ['10.0.0.14'], role: ['master'] },
      TEXT.replace('etcd: [node1]', 'etcd: &one [node1]').replace('master: [node1]', 'master: *one'),
      'CLUSTER_FILE_NOT_EDITABLE',
    ],
    [
      'an invalid file',
      { nodes: ['10.0.0.14'], role: ['master'] },
      TEXT.replace('Cluster', 'Custer'),
      'CONFIG_INVALID',
    ],
  ])('is refused: %s', async (_, given, text, code) => {
    const { file, load: act } = load(given, {}, text);
    await expect(act()).rejects.toMatchObject({ code });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

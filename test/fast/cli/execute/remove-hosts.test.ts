import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseRemoval, type RemovalCall } from '../../../../src/cli/execute/remove-hosts.ts';
import { checkClusterFile } from '../../../../src/config/load/load.ts';
import { home } from '../kubexm.ts';
import { pipelineCall } from './pipeline-call.ts';

const TEXT = `apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata: { name: prod }
spec:
  hosts:
    - { name: node1, address: 10.0.0.11 }
    - { name: node2, address: 10.0.0.12 }
    - { name: node3, address: 10.0.0.13, jump: node4 }
    - { name: node4, address: 10.0.0.14, internalAddress: 192.168.0.4 }
  roleGroups:
    etcd: [node1]
    master: [node1, node2]
    worker: ['node[3:4]']
  controlPlaneEndpoint: { internalLoadbalancer: haproxy }
  system: { ntpServers: [node2] }
`;

class Opened extends Error {}

/** Chooses up to the first connection to a host. */
async function choose(nodes: readonly string[], text = TEXT): Promise<unknown> {
  const workdir = home();
  const file = join(workdir, 'cluster.yaml');
  writeFileSync(file, text);
  const { cluster, diagnostics } = await checkClusterFile(file);
  const located = { cluster: cluster!, diagnostics, location: { file, workdir } };
  const chosen = Promise.resolve(
    chooseRemoval(call(workdir, file), nodes)(located, () => Promise.reject(new Opened('opened'))),
  );
  const result = await chosen.catch((error: unknown) => error);
  expect(readFileSync(file, 'utf8')).toBe(text);
  return result;
}

describe('before a host is connected to', () => {
  it.each<[string, readonly string[], string]>([
    ['no host', [], 'USAGE'],
    ['an unknown host', ['node9'], 'NO_SUCH_HOST'],
    ['all masters', ['node1,node2'], 'LAST_MASTER'],
    ['the only etcd host', ['node1'], 'QUORUM_AT_RISK'],
    ['the jump host of another one', ['192.168.0.4'], 'HOST_REFERENCED'],
    ['a time server', ['10.0.0.12'], 'HOST_REFERENCED'],
  ])('removing %s is refused', async (_, nodes, code) => expect(await choose(nodes)).toMatchObject({ code }));

  it('removing hosts that no other field refers to is not refused', async () => {
    expect(await choose(['node3'])).toBeInstanceOf(Opened);
    expect(await choose(['node[3:4]'])).toBeInstanceOf(Opened);
    expect(await choose(['10.0.0.13', 'node4'])).toBeInstanceOf(Opened);
  });

  it('a host whose entry other hosts depend on is refused', async () => {
    const text = TEXT.replace(
      '- { name: node3, address: 10.0.0.13, jump: node4 }',
      '- &base { name: node3, address: 10.0.0.13 }',
    ).replace(
      '- { name: node4, address: 10.0.0.14, internalAddress: 192.168.0.4 }',
      '- { <<: *base, name: node4, address: 10.0.0.14 }',
    );
    expect(await choose(['node3'], text)).toMatchObject({ code: 'CLUSTER_FILE_NOT_EDITABLE' });
  });
});

const call = (workdir: string, file: string): RemovalCall => {
  const each = pipelineCall(workdir, { file });
  const drain = { force: true, ignoreDaemonsets: false, gracePeriod: undefined, timeout: '10m' };
  return { ...each, options: { ...each.options, ...drain, skipCleanup: false, unreachable: false } };
};

import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import {
  changedFields,
  parseImmutable,
  immutableFields,
  formatImmutable,
} from '../../../../src/config/model/immutable.ts';

const load = (...overrides: readonly string[]) => loadCluster('test/fixtures/kubeadm.yaml', { overrides });
const changed = async (...overrides: readonly string[]) =>
  changedFields(immutableFields(await load()), immutableFields(await load(...overrides)));

describe('what is settled when a cluster is made', () => {
  it('is told by the names of the file', async () => {
    expect(await changed('kubernetes.version=1.35.1', 'network.kubePodsCIDR=10.99.0.0/16')).toEqual([
      'kubernetes.version',
      'network.kubePodsCIDR',
    ]);
    expect(await changed('kubernetes.clusterName=corp.example')).toEqual(['kubernetes.clusterName']);
  });

  it('is not what a second run applies, nor what is of no account to the cluster', async () => {
    expect(await changed('kubernetes.ignorePreflightErrors=[NumCPU]', 'kubernetes.autoRenewCerts=true')).toEqual([]);
    expect(await changed('kubernetes.containerRuntime.registryMirrors=[https://mirror.example]')).toEqual([]);
  });

  it('comes back from a host as it went there, and says nothing of what the flags are', async () => {
    const settled = immutableFields(await load('kubernetes.apiserver.extraArgs.token=hunter2'));
    expect(parseImmutable(formatImmutable(settled))).toEqual(settled);
    expect(formatImmutable(settled)).not.toContain('hunter2');
  });

  it('does not mind in which order things stand', async () => {
    const args = (...names: readonly string[]) =>
      load(...names.map((name) => `kubernetes.apiserver.extraArgs.${name}=1`));
    expect(immutableFields(await args('a', 'b'))).toEqual(immutableFields(await args('b', 'a')));
  });

  it('is where etcd has its data and its members', async () => {
    expect(await changed('etcd.dataDir=/data/etcd')).toEqual(['etcd.dataDir']);
  });

  it('does not count what an earlier version of kubexm did not know', async () => {
    const { 'kubernetes.audit': _, ...before } = immutableFields(await load());
    expect(changedFields(before, immutableFields(await load('kubernetes.audit=true')))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import {
  changedFields,
  parseImmutable,
  immutableFields,
  formatImmutable,
} from '../../../../src/config/model/immutable.ts';

const load = (...overrides: readonly string[]) => loadCluster('test/fixtures/kubeadm.yaml', { overrides });
const changed = async (...overrides: readonly string[]) =>
  changedFields(immutableFields(await load()), await load(...overrides));

function etcdOf({ etcd }: Cluster) {
  if (etcd.type === 'external') throw new Error('the fixture has its own etcd');
  return etcd;
}

describe('immutable fields', () => {
  it('have the names of the cluster file', async () => {
    expect(await changed('kubernetes.version=1.35.1', 'network.kubePodsCIDR=10.99.0.0/16')).toEqual([
      'kubernetes.version',
      'network.kubePodsCIDR',
    ]);
    expect(await changed('kubernetes.clusterName=corp.example')).toEqual(['kubernetes.clusterName']);
  });

  it('exclude fields that a later run applies or that do not affect the cluster', async () => {
    expect(await changed('kubernetes.ignorePreflightErrors=[NumCPU]', 'kubernetes.autoRenewCerts=true')).toEqual([]);
    expect(await changed('kubernetes.containerRuntime.registryMirrors=[https://mirror.example]')).toEqual([]);
  });

  it('exclude the security profile and the flags and settings that a later run applies', async () => {
    expect(await changed('security.profile=cis')).toEqual([]);
    const flags = ['apiserver', 'controllerManager', 'scheduler'].map((name) => `kubernetes.${name}.extraArgs.v=4`);
    expect(await changed(...flags, 'kubernetes.kubeletConfiguration.maxOpenFiles=1', 'kubernetes.maxPods=50')).toEqual(
      [],
    );
    expect(await changed('kubernetes.kubelet.extraArgs.v=4')).toEqual(['kubernetes.kubelet']);
    const port = ['kubernetes.apiserver.extraArgs.secure-port=7443', 'controlPlaneEndpoint.port=7443'];
    expect(await changed(...port)).toContain('kubernetes.apiserver.extraArgs.secure-port');
  });

  it('compare directories that were recorded with a trailing slash', async () => {
    const recorded = immutableFields({
      ...(await load()),
      etcd: { ...etcdOf(await load()), dataDir: '/var/lib/etcd/' },
    });
    expect(changedFields(recorded, await load())).toEqual([]);
    expect(changedFields(recorded, await load('etcd.dataDir=/data/etcd'))).toEqual(['etcd.dataDir']);
  });

  it('survive formatting and parsing without revealing flags', async () => {
    const fields = immutableFields(await load('kubernetes.apiserver.extraArgs.token=hunter2'));
    expect(parseImmutable(formatImmutable(fields))).toEqual(fields);
    expect(formatImmutable(fields)).not.toContain('hunter2');
  });

  it('do not depend on the order of keys', async () => {
    const args = (...names: readonly string[]) =>
      load(...names.map((name) => `kubernetes.apiserver.extraArgs.${name}=1`));
    expect(immutableFields(await args('a', 'b'))).toEqual(immutableFields(await args('b', 'a')));
  });

  it('include the data directory of etcd', async () => {
    expect(await changed('etcd.dataDir=/data/etcd')).toEqual(['etcd.dataDir']);
  });

  it('exclude fields that an earlier version of kubexm did not record', async () => {
    const { 'kubernetes.proxyMode': _, ...before } = immutableFields(await load());
    expect(changedFields(before, await load('kubernetes.proxyMode=ipvs'))).toEqual([]);
  });
});

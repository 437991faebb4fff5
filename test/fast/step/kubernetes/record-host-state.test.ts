import { expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { isEtcdData, recordHostState } from '../../../../src/step/kubernetes/record-host-state.ts';
import { factsOf } from '../os/systems.ts';

it.each(['calico', 'flannel', 'cilium', 'kube-ovn'])(
  'tells the etcd data directory from all other directories with %s',
  async (plugin) => {
    const overrides = [
      `network.plugin=${plugin}`,
      'etcd.type=kubeadm',
      'roleGroups.etcd=[]',
      'etcd.dataDir=/data/etcd',
    ];
    const cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides });
    const hosts = hostsOf(cluster);
    const [host] = hosts.withRole('master');
    const parts = recordHostState(cluster).parts({ host: host!, hosts, facts: factsOf('debian-12', host!.name) });
    expect(parts.map(({ key }) => key).filter(isEtcdData)).toEqual(['owned-directory:/data/etcd']);
  },
);

import { expect, it } from 'vitest';
import type { Host } from '../../../src/common/host.ts';
import { on } from '../../../src/plan/fragment.ts';
import { file } from '../../../src/step/common/file.ts';
import type {
  Addon,
  Cluster,
  Etcd,
  ExternalLoadBalancer,
  InternalLoadBalancer,
  Registry,
} from '../../../src/config/model/cluster.ts';
import type { NetworkPlugin } from '../../../src/config/model/network-plugins.ts';

it('allows only component steps in a task', () => {
  // @ts-expect-error a generic step has no name
  const plan = (host: Host) => on([host], file({ path: '/etc/motd', content: 'hello' }));
  expect(plan).toBeTypeOf('function');
});

it('requires a module to handle every etcd type', () => {
  // @ts-expect-error 'external' is missing: not all code paths return
  const plan = (etcd: Etcd): string => {
    switch (etcd.type) {
      case 'kubexm':
        return etcd.dataDir;
      case 'kubeadm':
        return 'kubeadm';
    }
  };
  expect(plan).toBeTypeOf('function');
});

it('requires a module to handle every type of load balancer, network, registry, runtime and addon', () => {
  // @ts-expect-error 'external' is missing
  const outside = (lb: ExternalLoadBalancer): string => {
    switch (lb.type) {
      case 'none':
        return '';
      case 'kubexm-kh':
      case 'kubexm-kn':
        return lb.address;
    }
  };
  // @ts-expect-error 'kube-vip' is missing
  const inside = (lb: InternalLoadBalancer): string => {
    switch (lb.type) {
      case 'none':
      case 'haproxy':
      case 'nginx':
        return lb.type;
    }
  };
  // @ts-expect-error 'none' is missing
  const plugin = (network: NetworkPlugin): string => {
    switch (network.type) {
      case 'calico':
      case 'flannel':
      case 'cilium':
      case 'kube-ovn':
        return network.version ?? '';
    }
  };
  // @ts-expect-error 'harbor' is missing
  const registry = (from: Registry): string => {
    switch (from.type) {
      case 'none':
        return '';
      case 'external':
      case 'registry':
        return from.name;
    }
  };
  // @ts-expect-error 'isulad' is missing
  const runtime = ({ kubernetes }: Cluster): string => {
    switch (kubernetes.containerRuntime.type) {
      case 'containerd':
      case 'docker':
      case 'cri-o':
        return kubernetes.containerRuntime.type;
    }
  };
  // @ts-expect-error 'helm' is missing
  const addon = (each: Addon): string => {
    switch (each.type) {
      case 'catalog':
      case 'yaml':
        return each.name;
    }
  };
  expect([outside, inside, plugin, registry, runtime, addon]).toHaveLength(6);
});

it('makes the cluster deeply readonly', () => {
  const change = (cluster: Cluster) => {
    // @ts-expect-error readonly all the way down
    cluster.hosts[0]!.login.port = 1;
    // @ts-expect-error readonly all the way down
    cluster.dns.coredns.externalZones.push({});
  };
  expect(change).toBeTypeOf('function');
});

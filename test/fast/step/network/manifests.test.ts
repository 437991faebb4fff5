import { describe, expect, it } from 'vitest';
import { calicoPatch } from '../../../../src/step/network/calico.ts';
import { flannelPatch } from '../../../../src/step/network/flannel.ts';
import { parseManifests } from '../../../../src/step/kubernetes-object/manifest.ts';
import { ciliumValues } from '../../../../src/template/cilium.ts';
import { kubeOvnValues } from '../../../../src/template/kube-ovn.ts';
import { DUAL, load, patched, pluginOf } from './support.ts';

const golden = (name: string) => `../../../golden/network/${name}`;

describe('calico', () => {
  const objects = async (...overrides: readonly string[]) => {
    const cluster = await load('network.plugin=calico', ...overrides);
    return patched('calico', cluster, calicoPatch(cluster, pluginOf(cluster, 'calico')));
  };

  it('has the networks of the cluster and pinned images', async () => {
    await expect(await objects()).toMatchFileSnapshot(golden('calico.yaml'));
  });

  it('with VXLAN, dual stack and Typha', async () => {
    const settings = ['vxlanMode=CrossSubnet', 'vethMTU=1400', 'typha=true', 'ipv4NatOutgoing=false'];
    const text = await objects(
      ...settings.map((each) => `network.calico.${each}`),
      'network.ippool.blockSize=24',
      ...DUAL,
    );
    await expect(text).toMatchFileSnapshot(golden('calico-vxlan.yaml'));
  });

  it('restarts calico-node if the MTU changes, and only then', async () => {
    const annotation = 'kubexm.mensylisir.io/veth-mtu';
    expect(await objects()).not.toContain(annotation);
    expect(await objects('network.calico.vethMTU=1400')).toContain(`${annotation}: "1400"`);
    expect(await objects('network.calico.vethMTU=1300')).toContain(`${annotation}: "1300"`);
  });

  it('has Typha replicas for nodes, not for other hosts', async () => {
    const replicas = async (...overrides: readonly string[]) =>
      /kind: Deployment[\s\S]*?name: calico-typha[\s\S]*?replicas: (\d+)/.exec(
        await objects('network.calico.typha=true', ...overrides),
      )?.[1];
    expect(await replicas('roleGroups.master=[node1]', 'roleGroups.worker=[node1, node2]')).toBe('1');
  });

  it('is rejected if an expected object is missing upstream', async () => {
    const cluster = await load('network.plugin=calico');
    const patch = calicoPatch(cluster, pluginOf(cluster, 'calico'));
    const other = parseManifests('{apiVersion: v1, kind: ConfigMap, metadata: {name: other}}', 'other');
    expect(() => patch(other)).toThrow('it has no ConfigMap kube-system/calico-config');
  });
});

describe('flannel', () => {
  it.each([
    ['flannel.yaml', []],
    ['flannel-dual.yaml', ['network.flannel.backend=host-gw', ...DUAL]],
  ])('%s', async (name, overrides) => {
    const cluster = await load(...overrides);
    const text = patched('flannel', cluster, flannelPatch(cluster, pluginOf(cluster, 'flannel')));
    await expect(text).toMatchFileSnapshot(golden(name));
  });
});

describe('Helm values', () => {
  it('of Cilium as kube-proxy replacement, overridden by values of the user', async () => {
    const cluster = await load(
      'network.plugin=cilium',
      'network.cilium.kubeProxyReplacement=true',
      'network.cilium.values={"hubble":{"enabled":false},"operator":{"replicas":1}}',
    );
    expect(ciliumValues(cluster, pluginOf(cluster, 'cilium'))).toEqual({
      ipam: { mode: 'kubernetes' },
      ipv4: { enabled: true },
      ipv6: { enabled: false },
      kubeProxyReplacement: true,
      k8sServiceHost: cluster.endpoint.domain,
      k8sServicePort: 6443,
      operator: { replicas: 1, image: { useDigest: false } },
      image: { useDigest: false },
      envoy: { enabled: false },
      hubble: { enabled: false },
    });
  });

  it('of Kube-OVN with dual stack', async () => {
    const cluster = await load('network.plugin=kube-ovn', 'kubernetes.nodelocaldns=true', ...DUAL);
    expect(kubeOvnValues(cluster, pluginOf(cluster, 'kube-ovn'))).toEqual({
      MASTER_NODES: '10.0.0.1,10.0.0.2,10.0.0.3',
      MASTER_NODES_LABEL: 'node-role.kubernetes.io/control-plane=',
      networking: { NET_STACK: 'dual_stack', NODE_LOCAL_DNS_IP: '169.254.25.10' },
      dual_stack: {
        POD_CIDR: '10.233.64.0/18,fd85::/104',
        POD_GATEWAY: '10.233.64.1,fd85::1',
        SVC_CIDR: '10.233.0.0/18,fd86::/112',
        JOIN_CIDR: '100.64.0.0/16,fd00:100:64::/112',
        PINGER_EXTERNAL_ADDRESS: '',
        PINGER_EXTERNAL_DOMAIN: '',
      },
    });
  });
});

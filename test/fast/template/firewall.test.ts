import { describe, expect, it } from 'vitest';
import { nftablesConf } from '../../../src/template/nftables.ts';
import { ufwProfiles } from '../../../src/template/ufw.ts';

const API = { protocol: 'tcp', port: 6443, for: 'kube-apiserver' } as const;
const KUBELET = { protocol: 'tcp', port: 10_250, for: 'kubelet', inCluster: true } as const;
const NODE_PORTS = { protocol: 'udp', port: 30_000, to: 32_767, for: 'node ports' } as const;

describe('nftables', () => {
  const conf = (hosts: readonly string[]) =>
    nftablesConf({
      ports: [API, KUBELET, NODE_PORTS],
      protocols: ['vrrp', 'ipip'],
      trusted: ['10.233.64.0/18'],
      hosts,
    });
  const rules = (text: string) => text.split('\n').map((line) => line.trim());

  it('accepts internal ports and protocols from hosts of the cluster only', () => {
    const lines = rules(conf(['10.0.0.1', '10.0.0.2', 'fd00::1']));
    expect(lines).toContain('elements = { 10.0.0.1, 10.0.0.2 }');
    expect(lines).toContain('elements = { fd00::1 }');
    expect(lines.filter((line) => line.includes('10250'))).toEqual([
      'ip saddr @cluster_hosts tcp dport 10250 accept comment "kubelet"',
      'ip6 saddr @cluster_hosts6 tcp dport 10250 accept comment "kubelet"',
    ]);
    expect(lines.filter((line) => line.includes('"ipip"'))).toEqual([
      'ip saddr @cluster_hosts meta l4proto 4 accept comment "ipip"',
      'ip6 saddr @cluster_hosts6 meta l4proto 4 accept comment "ipip"',
    ]);
    expect(lines).toContain('tcp dport 6443 accept comment "kube-apiserver"');
    expect(lines).toContain('udp dport 30000-32767 accept comment "node ports"');
  });

  it('has empty sets without other hosts', () => expect(conf([])).not.toContain('elements'));
});

describe('ufw', () => {
  it('has a profile of its own for ports that only hosts of the cluster use', () => {
    const [, open = '', clusterOnly = ''] = ufwProfiles([API, KUBELET, NODE_PORTS]).split(/^\[/m);
    expect(open).toContain('kubexm]');
    expect(open).toContain('ports=6443/tcp|30000:32767/udp\n');
    expect(clusterOnly).toContain('kubexm-cluster]');
    expect(clusterOnly).toContain('ports=10250/tcp\n');
  });

  it('has one profile if everybody may use all ports', () =>
    expect(ufwProfiles([API])).not.toContain('kubexm-cluster'));
});

import { describe, expect, it } from 'vitest';
import { corefile, customizesCoreDns } from '../../../src/template/dns/corefile.ts';
import { nodeLocalDns } from '../../../src/template/dns/node-local.ts';
import { yamlDocuments } from '../../../src/template/yaml-documents.ts';
import { load } from '../step/network/support.ts';

const golden = (name: string) => `../../golden/addon/${name}`;

/** Every DNS setting of the cluster file. */
const DNS = {
  dnsEtcHosts: '192.168.0.100 api.example.com\n192.168.0.200 ingress.example.com # a second one\n',
  coredns: {
    additionalConfigs: 'whoami\nlog\n',
    externalZones: [
      { zones: ['example.com', 'example.io:1053'], nameservers: ['1.1.1.1', '2.2.2.2'], cache: 5 },
      {
        zones: ['mydomain.tld'],
        nameservers: ['10.233.0.3'],
        rewrite: ['name substring website.tld website.namespace.svc.cluster.local'],
      },
    ],
    rewriteBlock:
      'rewrite stop {\n  name regex (.*)\\.my\\.domain {1}.svc.cluster.local\n  answer name (.*)\\.svc\\.cluster\\.local {1}.my.domain\n}\n',
    upstreamDNSServers: ['8.8.8.8', 'fd00::53'],
  },
  nodelocaldns: { externalZones: [{ zones: ['mycompany.local:4453'], nameservers: ['192.168.0.53'], cache: 10 }] },
};

describe('the Corefile', () => {
  it('is that of kubeadm without DNS settings in the cluster file', async () => {
    const cluster = await load();
    expect(customizesCoreDns(cluster)).toBe(false);
    await expect(corefile(cluster)).toMatchFileSnapshot(golden('Corefile'));
  });

  it('has all DNS settings of the cluster file', async () => {
    const cluster = await load(`dns=${JSON.stringify(DNS)}`, 'kubernetes.clusterName=k.example.org');
    expect(customizesCoreDns(cluster)).toBe(true);
    await expect(corefile(cluster)).toMatchFileSnapshot(golden('Corefile-full'));
  });

  it.each([
    'dns.dnsEtcHosts=10.0.0.9 a.example.com',
    'dns.coredns.additionalConfigs=log',
    'dns.coredns.rewriteBlock=rewrite name a.example.com b.example.com',
    'dns.coredns.upstreamDNSServers=["10.0.0.53"]',
    'dns.coredns.externalZones=[{"zones":["a.example"],"nameservers":["10.0.0.53"]}]',
  ])('is customized with %s', async (override) => expect(customizesCoreDns(await load(override))).toBe(true));
});

describe('NodeLocalDNS', () => {
  it('forwards to CoreDNS, and external zones to their own servers', async () => {
    const cluster = await load(`dns=${JSON.stringify(DNS)}`, 'kubernetes.nodelocaldns=true');
    const objects = nodeLocalDns(cluster, 'registry.k8s.io/dns/k8s-dns-node-cache:1.26.4');
    await expect(yamlDocuments(objects)).toMatchFileSnapshot(golden('nodelocaldns.yaml'));
  });
});

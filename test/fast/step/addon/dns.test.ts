import { describe, expect, it } from 'vitest';
import { customizesCoreDns, corefile } from '../../../../src/template/dns/corefile.ts';
import { nodeLocalDns } from '../../../../src/template/dns/node-local.ts';
import { yamlDocuments } from '../../../../src/template/yaml-documents.ts';
import { load } from '../network/support.ts';

const golden = (name: string) => `../../../golden/addon/${name}`;

/** As the documents have it. */
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
  it('is that of kubeadm when the file asks for nothing', async () => {
    const cluster = await load();
    expect(customizesCoreDns(cluster)).toBe(false);
    await expect(corefile(cluster)).toMatchFileSnapshot(golden('Corefile'));
  });

  it('has all that the file asks for', async () => {
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
  ])('is ours with %s', async (override) => expect(customizesCoreDns(await load(override))).toBe(true));
});

describe('NodeLocalDNS', () => {
  it('asks CoreDNS, and others for their zones', async () => {
    const cluster = await load(`dns=${JSON.stringify(DNS)}`, 'kubernetes.nodelocaldns=true');
    const objects = nodeLocalDns(cluster, 'registry.k8s.io/dns/k8s-dns-node-cache:1.26.4');
    await expect(yamlDocuments(objects)).toMatchFileSnapshot(golden('nodelocaldns.yaml'));
  });
});

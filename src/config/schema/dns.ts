import { z } from 'zod';
import { formatted, hostPort, ip, text, whole } from './fields.ts';

const zone = z.strictObject({
  zones: z
    .array(formatted('a zone such as example.com or example.com:1053', (value) => hostPort().safeParse(value).success))
    .min(1, { error: 'must list at least one zone' })
    .describe('DNS zones to forward.'),
  nameservers: z
    .array(text())
    .min(1, { error: 'must list at least one server' })
    .describe('DNS servers that resolve the zones.'),
  cache: whole(0).default(5).describe('Seconds to cache responses.'),
  rewrite: z.array(text()).default([]).describe('CoreDNS rewrite rules.'),
});

/** Cluster DNS. */
export const dnsSchema = z.strictObject({
  dnsEtcHosts: z.string().default('').describe('Entries for the hosts plugin of CoreDNS, in /etc/hosts format.'),
  coredns: z
    .strictObject({
      additionalConfigs: z.string().default('').describe('Additional lines in the Corefile.'),
      externalZones: z.array(zone).default([]).describe('Zones to forward to other DNS servers.'),
      rewriteBlock: z.string().default('').describe('Additional rewrite rules in the Corefile.'),
      upstreamDNSServers: z
        .array(ip())
        .default([])
        .describe('DNS servers for all other names. Defaults to the DNS servers of the node.'),
    })
    .prefault({})
    .describe('CoreDNS settings.'),
  nodelocaldns: z
    .strictObject({ externalZones: z.array(zone).default([]).describe('Zones to forward to other DNS servers.') })
    .prefault({})
    .describe('NodeLocal DNSCache settings.'),
});

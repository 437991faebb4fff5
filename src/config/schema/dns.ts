import { z } from 'zod';
import { formatted, hostPort, ip, text, whole } from './fields.ts';

const zone = z.strictObject({
  zones: z.array(formatted('a zone such as example.com or example.com:1053', (value) => hostPort().safeParse(value).success)).min(1, { error: 'must name at least one zone' }).describe('Zones that are asked elsewhere.'),
  nameservers: z.array(text()).min(1, { error: 'must name at least one server' }).describe('Servers that answer for them.'),
  cache: whole(0).default(5).describe('Seconds to remember answers.'),
  rewrite: z.array(text()).default([]).describe('Rewrite rules of CoreDNS.'),
});

/** Names inside the cluster. */
export const dnsSchema = z.strictObject({
  dnsEtcHosts: z.string().default('').describe('Lines of a hosts file that CoreDNS answers from.'),
  coredns: z
    .strictObject({
      additionalConfigs: z.string().default('').describe('More lines in the Corefile.'),
      externalZones: z.array(zone).default([]).describe('Zones that other servers answer.'),
      rewriteBlock: z.string().default('').describe('Rewrite block of the Corefile.'),
      upstreamDNSServers: z.array(ip()).default([]).describe('Servers for everything else; those of the node if not given.'),
    })
    .prefault({})
    .describe('Settings of CoreDNS.'),
  nodelocaldns: z
    .strictObject({ externalZones: z.array(zone).default([]).describe('Zones that other servers answer.') })
    .prefault({})
    .describe('Settings of NodeLocalDNS.'),
});

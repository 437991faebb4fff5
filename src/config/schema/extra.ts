import { z } from 'zod';
import { dnsName, ip } from './fields.ts';

/** Additional host names and DNS servers on every host. */
export const extraSchema = z.strictObject({
  hosts: z
    .array(z.strictObject({ domain: dnsName().describe('Host name.'), address: ip().describe('IP address.') }))
    .default([])
    .describe('Additional /etc/hosts entries on every host.'),
  resolves: z
    .array(z.strictObject({ address: ip().describe('IP address of a DNS server.') }))
    .default([])
    .describe('Additional DNS servers on every host.'),
});

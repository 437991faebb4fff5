import { z } from 'zod';
import { dnsName, ip } from './fields.ts';

/** More names and resolvers on every host. */
export const extraSchema = z.strictObject({
  hosts: z
    .array(z.strictObject({ domain: dnsName().describe('The name.'), address: ip().describe('Its address.') }))
    .default([])
    .describe('More lines in /etc/hosts of every host.'),
  resolves: z
    .array(z.strictObject({ address: ip().describe('Address of a DNS server.') }))
    .default([])
    .describe('More DNS servers on every host.'),
});

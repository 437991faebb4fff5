import { z } from 'zod';
import { text } from './fields.ts';

const hosts = (about: string) => z.array(text()).default([]).describe(`${about} Names of hosts, or ranges such as node[1:3].`);

/** Which host does what. A host may have several roles. */
export const roleGroupsSchema = z.strictObject({
  etcd: hosts('Hosts that run etcd: an odd number.'),
  master: hosts('Hosts of the control plane (also: control-plane).'),
  worker: hosts('Hosts that run workloads.'),
  registry: hosts('The host that serves the private image registry.'),
  loadbalancer: hosts('Hosts that run keepalived with haproxy or nginx before the API servers.'),
});

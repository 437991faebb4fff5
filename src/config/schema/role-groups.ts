import { z } from 'zod';
import { text } from './fields.ts';

const hosts = (about: string) =>
  z.array(text()).default([]).describe(`${about} Host names, or ranges such as node[1:3].`);

/** The roles of the hosts. A host can have several roles. */
export const roleGroupsSchema = z.strictObject({
  etcd: hosts('Hosts that run etcd, preferably an odd number.'),
  master: hosts('Control plane hosts (also: control-plane).'),
  worker: hosts('Hosts that run workloads.'),
  registry: hosts('Host that runs the private image registry.'),
  loadbalancer: hosts('Hosts that run keepalived with haproxy or nginx in front of the API servers.'),
});

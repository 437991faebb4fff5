import { join } from 'node:path';
import type { Connector } from '../../../src/connector/connector.ts';
import { knownHosts } from '../../../src/connector/known-hosts.ts';
import { sshConnector } from '../../../src/connector/ssh.ts';
import type { Machine } from '../../../src/lab/machine/machine.ts';
import type { Lab } from '../../../src/lab/up.ts';

/** Connects to a machine of a lab over SSH. */
export const connect = (lab: Lab, machine: Machine, user = 'root'): Connector =>
  sshConnector(
    {
      name: machine.name,
      address: machine.address,
      port: machine.port,
      user,
      privateKeyPath: join(lab.paths.folder, 'id_ed25519'),
      timeoutMs: 30_000,
    },
    knownHosts(lab.paths.knownHosts),
  );

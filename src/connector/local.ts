import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { kubexmHome } from '../common/home.ts';
import type { Secret } from '../common/secret.ts';
import type { Connector } from './connector.ts';
import { hostConnector } from './host-connector.ts';
import type { Channel, Transport } from './transport.ts';
import { localTunnel } from './tunnel.ts';

/** Creates a connector for the machine where kubexm runs. If KUBEXM_HOME is set, it contains all state. */
export function localConnector(options: { readonly host?: string; readonly sudoPassword?: Secret } = {}): Connector {
  const { uid, username } = userInfo();
  return hostConnector(
    Object.freeze<Transport>({
      host: options.host ?? 'local',
      user: uid === 0 ? 'root' : username,
      sudoPassword: options.sudoPassword,
      ...(process.env['KUBEXM_HOME'] && { rootFolders: [join(resolve(kubexmHome()), 'run')] }),
      open: (command, signal) => {
        signal?.throwIfAborted();
        return Promise.resolve(start(command));
      },
      tunnel: localTunnel,
      close: () => Promise.resolve(),
    }),
  );
}

function start(command: string): Channel {
  // Uses a separate process group, because Ctrl-C must reach only kubexm, which decides what to stop.
  const child = spawn('/bin/sh', ['-c', command], { stdio: 'pipe', detached: true });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    closed: new Promise((resolve) => {
      child.once('error', () => resolve(127));
      child.once('close', (code) => resolve(code ?? 137));
    }),
    close: () => {
      child.stdin.destroy();
      child.kill('SIGTERM');
    },
  };
}

import { spawn } from 'node:child_process';
import { hostConnector } from '../../../src/connector/host-connector.ts';
import type { Connector } from '../../../src/connector/connector.ts';
import type { Channel } from '../../../src/connector/transport.ts';
import { localTunnel } from '../../../src/connector/tunnel.ts';

/** The output and exit code of a script in a local shell. */
export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | null;
}

/** Options of a local shell. */
export interface LocalShellOptions {
  readonly shell?: string;
  readonly stdin?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a script of the connector in a local shell, as a host would. */
export function runLocally(script: string, options: LocalShellOptions = {}): Promise<ShellResult> {
  const { shell = '/bin/sh', stdin = '', env = {} } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', script], { env: { ...process.env, ...env } });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    child.once('error', reject);
    child.once('close', (exit) => resolve({ ...output, exit }));
  });
}

/** A connector to this computer whose state is in a folder; `onChannel` may close channels, as a lost connection would. */
export function connectorIn(folder: string, onChannel: (channel: Channel) => void = () => {}): Connector {
  return hostConnector({
    host: 'node1',
    user: 'root',
    rootFolders: [`${folder}/run`],
    open: (command) => {
      const channel = start(command);
      onChannel(channel);
      return Promise.resolve(channel);
    },
    tunnel: localTunnel,
    close: () => Promise.resolve(),
  });
}

function start(command: string): Channel {
  const child = spawn('/bin/sh', ['-c', command], { stdio: 'pipe', detached: true });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    closed: new Promise((resolve) => child.once('close', (code) => resolve(code ?? undefined))),
    close: () => child.kill('SIGKILL'),
  };
}

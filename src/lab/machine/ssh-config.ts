import { onMachine, type Machine } from './machine.ts';
import type { LabPaths } from '../paths.ts';
import type { Key } from './ssh-keys.ts';

/** The public host keys of a machine without comments: "ssh-ed25519 AAAA…". */
export async function hostKeys(machine: Machine): Promise<readonly string[]> {
  const lines = await onMachine(machine, ['timeout', '120', 'sh', '-c', PRINT_KEYS_AFTER_SETUP]);
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ').slice(0, 2).join(' '));
}

const PRINT_KEYS_AFTER_SETUP =
  'until [ -e /var/lib/kubexm-lab/machine ]; do sleep 0.1; done; cat /etc/ssh/ssh_host_*_key.pub';

/** The content of a known_hosts file for these machines. */
export function knownHosts(
  machines: readonly { readonly machine: Machine; readonly keys: readonly string[] }[],
): string {
  const lines = machines.flatMap(({ machine: { address, port }, keys }) =>
    keys.map((key) => `${port === 22 ? address : `[${address}]:${port}`} ${key}`),
  );
  return `${lines.join('\n')}\n`;
}

/** The content of an ssh_config file with a `Host` entry for each machine. */
export function sshConfig(machines: readonly Machine[], user: string, keys: readonly Key[], paths: LabPaths): string {
  const jump = machines.find((machine) => machine.name === 'jump');
  const hosts = machines.flatMap((machine) => [
    `Host ${machine.name}`,
    `  HostName ${machine.address}`,
    `  Port ${machine.port}`,
    ...(jump && machine !== jump ? ['  ProxyJump jump'] : []),
    '',
  ]);
  const unencrypted = keys.filter((key) => key.passphrase === undefined);
  const defaults = [
    'Host *',
    `  User ${user}`,
    ...unencrypted.map((key) => `  IdentityFile "${key.path}"`),
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile "${paths.knownHosts}"`,
    '  GlobalKnownHostsFile /dev/null',
    '  StrictHostKeyChecking yes',
    '  ConnectTimeout 10',
    '  LogLevel ERROR',
  ];
  return `# Written by kubexm lab up.\n${[...hosts, ...defaults].join('\n')}\n`;
}

/** The ssh command line for a machine; without a command it opens a login shell. */
export const sshArgv = (paths: LabPaths, machine: string, command: readonly string[] = []) =>
  ['ssh', '-F', paths.sshConfig, machine, ...command] as const;

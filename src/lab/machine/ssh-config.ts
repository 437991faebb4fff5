import { onMachine, type Machine } from './machine.ts';
import type { LabPaths } from '../paths.ts';
import type { Key } from './ssh-keys.ts';

/** The host keys of a machine, as lines of a public key file without comment. */
export async function hostKeys(machine: Machine): Promise<readonly string[]> {
  const lines = await onMachine(machine, ['timeout', '120', 'sh', '-c', KEYS_WHEN_SET_UP]);
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ').slice(0, 2).join(' '));
}

const KEYS_WHEN_SET_UP =
  'until [ -e /var/lib/kubexm-lab/machine ]; do sleep 0.1; done; cat /etc/ssh/ssh_host_*_key.pub';

/** The text of a known_hosts file for machines and their host keys. */
export function knownHosts(
  machines: readonly { readonly machine: Machine; readonly keys: readonly string[] }[],
): string {
  const lines = machines.flatMap(({ machine: { address, port }, keys }) =>
    keys.map((key) => `${port === 22 ? address : `[${address}]:${port}`} ${key}`),
  );
  return `${lines.join('\n')}\n`;
}

/** The text of a configuration for the ssh program that reaches each machine by its name. */
export function sshConfig(machines: readonly Machine[], user: string, keys: readonly Key[], paths: LabPaths): string {
  const jump = machines.find((machine) => machine.name === 'jump');
  const hosts = machines.flatMap((machine) => [
    `Host ${machine.name}`,
    `  HostName ${machine.address}`,
    `  Port ${machine.port}`,
    ...(jump && machine !== jump ? ['  ProxyJump jump'] : []),
    '',
  ]);
  const usable = keys.filter((key) => key.passphrase === undefined);
  const all = [
    'Host *',
    `  User ${user}`,
    ...usable.map((key) => `  IdentityFile "${key.path}"`),
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile "${paths.knownHosts}"`,
    '  GlobalKnownHostsFile /dev/null',
    '  StrictHostKeyChecking yes',
    '  ConnectTimeout 10',
    '  LogLevel ERROR',
  ];
  return `# Written by kubexm lab up.\n${[...hosts, ...all].join('\n')}\n`;
}

/** The call of the ssh program that reaches a machine; without a command it is a login. */
export const sshArgv = (paths: LabPaths, machine: string, command: readonly string[] = []) =>
  ['ssh', '-F', paths.sshConfig, machine, ...command] as const;

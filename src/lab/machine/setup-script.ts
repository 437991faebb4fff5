import { quote } from '../../connector/quote.ts';
import type { Key } from './ssh-keys.ts';
import type { LabOptions } from '../options.ts';

/** The script that a machine runs once, before systemd: users, keys, passwords, sshd. */
export function setupScript(options: LabOptions, keys: readonly Key[], isJump: boolean): string {
  const { user, shell, banner } = options;
  const port = isJump ? 22 : options.port;
  return [
    'set -eu',
    user === 'root' ? `usermod -s ${quote(shell)} root` : `useradd -m -s ${quote(shell)} ${user}`,
    `home=$(getent passwd ${user} | cut -d: -f6)`,
    `install -d -m 700 -o ${user} -g ${user} "$home/.ssh"`,
    ...writing('"$home/.ssh/authorized_keys"', keys.map((key) => key.publicKey).join('\n')),
    `chown ${user}: "$home/.ssh/authorized_keys"`,
    ...passwords(options).map(([who, password]) => `printf '%s' ${quote(`${who}:${password}`)} | chpasswd`),
    ...(user === 'root' ? [] : writing('/etc/sudoers.d/kubexm-lab', sudoers(options))),
    ...writing('/etc/ssh/sshd_config.d/kubexm-lab.conf', sshd({ ...options, port })),
    ...(banner === undefined ? [] : greeting(banner, user)),
    '',
  ].join('\n');
}

/** What a machine behind a jump host loads at each boot: SSH only from there. */
export const jumpFirewall = (port: number, jumpAddress: string) => `table inet kubexm_lab_jump
delete table inet kubexm_lab_jump
table inet kubexm_lab_jump {
  chain input {
    type filter hook input priority -10; policy accept;
    iif != lo tcp dport ${port} ip saddr != ${jumpAddress} reject with tcp reset
  }
}
`;

// sudo asks for the user's own password; when that is to be another one, it is told to ask for root's.
function passwords(options: LabOptions): readonly (readonly [string, string])[] {
  const { user, password, sudoPassword } = options;
  const own = password ?? sudoPassword;
  return [
    ...(own === undefined ? [] : [[user, own] as const]),
    ...(asksRootPassword(options) && sudoPassword ? [['root', sudoPassword] as const] : []),
  ];
}

const asksRootPassword = ({ password, sudoPassword }: LabOptions) =>
  password !== undefined && sudoPassword !== undefined && password !== sudoPassword;

const sudoers = (options: LabOptions) =>
  [
    ...(asksRootPassword(options) ? [`Defaults:${options.user} rootpw`] : []),
    `${options.user} ALL=(ALL:ALL) ${options.sudoPassword === undefined ? 'NOPASSWD: ' : ''}ALL`,
  ].join('\n');

const sshd = ({ user, port, password, banner }: LabOptions) =>
  [
    `Port ${port}`,
    `PermitRootLogin ${user === 'root' ? 'yes' : 'no'}`,
    `PasswordAuthentication ${password === undefined ? 'no' : 'yes'}`,
    ...(banner === undefined ? [] : ['Banner /etc/ssh/kubexm-lab-banner']),
  ].join('\n');

// A shell that prints something before each command is what breaks programs that read its output.
const greeting = (banner: string, user: string) => [
  ...writing('/etc/ssh/kubexm-lab-banner', banner),
  ...['.bashrc', '.cshrc'].flatMap((file) => [
    ...writing(`"$home/${file}"`, `echo ${quote(banner)}`),
    `chown ${user}: "$home/${file}"`,
  ]),
];

const writing = (path: string, content: string) => [`printf '%s\\n' ${quote(content)} >${path}`];

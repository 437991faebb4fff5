import { quote } from '../../connector/quote.ts';
import type { Key } from './ssh-keys.ts';
import type { LabOptions } from '../options.ts';

/** The script that a machine runs on first boot, before systemd: users, keys, passwords, sshd. */
export function setupScript(options: LabOptions, keys: readonly Key[], isJump: boolean): string {
  const { user, shell, banner } = options;
  const port = isJump ? 22 : options.port;
  return [
    'set -eu',
    user === 'root' ? `usermod -s ${quote(shell)} root` : `useradd -m -s ${quote(shell)} ${user}`,
    `home=$(getent passwd ${user} | cut -d: -f6)`,
    `install -d -m 700 -o ${user} -g ${user} "$home/.ssh"`,
    writeFile('"$home/.ssh/authorized_keys"', keys.map((key) => key.publicKey).join('\n')),
    `chown ${user}: "$home/.ssh/authorized_keys"`,
    ...passwords(options).map(([account, password]) => `printf '%s' ${quote(`${account}:${password}`)} | chpasswd`),
    ...(user === 'root' ? [] : [writeFile('/etc/sudoers.d/kubexm-lab', sudoers(options))]),
    writeFile('/etc/ssh/sshd_config.d/kubexm-lab.conf', sshd({ ...options, port })),
    ...(banner === undefined ? [] : bannerFiles(banner, user)),
    '',
  ].join('\n');
}

/** nftables rules for a machine behind a jump host: accept SSH only from the jump host. */
export const jumpFirewall = (port: number, jumpAddress: string) => `table inet kubexm_lab_jump
delete table inet kubexm_lab_jump
table inet kubexm_lab_jump {
  chain input {
    type filter hook input priority -10; policy accept;
    iif != lo tcp dport ${port} ip saddr != ${jumpAddress} reject with tcp reset
  }
}
`;

// sudo asks for the login password. If the sudo password differs, sudo is configured to ask for root's password.
function passwords(options: LabOptions): readonly (readonly [string, string])[] {
  const { user, password, sudoPassword } = options;
  const userPassword = password ?? sudoPassword;
  return [
    ...(userPassword === undefined ? [] : [[user, userPassword] as const]),
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

// Shells print the banner before every command, too: this breaks programs that parse the output carelessly.
const bannerFiles = (banner: string, user: string) => [
  writeFile('/etc/ssh/kubexm-lab-banner', banner),
  ...['.bashrc', '.cshrc'].flatMap((file) => [
    writeFile(`"$home/${file}"`, `echo ${quote(banner)}`),
    `chown ${user}: "$home/${file}"`,
  ]),
];

const writeFile = (path: string, content: string) => `printf '%s\\n' ${quote(content)} >${path}`;

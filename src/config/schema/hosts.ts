import { z } from 'zod';
import { ARCHES } from '../../common/host.ts';
import { isHostName } from '../value/address.ts';
import { addressPair, choice, duration, formatted, ipOrName, port, secret, text } from './fields.ts';

const labelKey = () =>
  formatted('a label key such as disk or example.com/disk', (key) =>
    /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(key),
  );
const labelValue = () =>
  formatted('a label value: at most 63 characters from A-Z, a-z, 0-9, - _ .', (value) =>
    /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/.test(value),
  );

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
const taint = z.union(
  [
    formatted('a taint such as dedicated=db:NoSchedule', (value) => TAINT.test(value)).transform(toTaint),
    z.strictObject({
      key: labelKey().describe('Taint key.'),
      value: labelValue().default('').describe('Taint value.'),
      effect: choice(effects).describe('Effect on pods that do not tolerate the taint.'),
    }),
  ],
  { error: 'must be a taint such as dedicated=db:NoSchedule, or {key, value, effect}' },
);

const userName = () => formatted('a user name', (name) => /^[a-z_][a-z0-9_.-]{0,31}\$?$/i.test(name));
const hostKey = () =>
  formatted('a public key such as "ssh-ed25519 AAAA…" or a fingerprint such as "SHA256:…"', (value) =>
    HOST_KEY.test(value),
  );

const jump = z.union(
  [
    formatted('host or user@host, with :port if the port is not 22', (value) => JUMP.test(value)),
    z.strictObject({
      address: ipOrName().describe('SSH address of the jump host.'),
      port: port().default(22).describe('SSH port of the jump host.'),
      user: userName().optional().describe('SSH user on the jump host. Defaults to the user of the target host.'),
      password: secret()
        .optional()
        .describe('SSH password for the jump host. The password of the target host is never sent to the jump host.'),
      privateKey: secret().optional().describe('Content of the private key for the jump host.'),
      privateKeyPath: text()
        .optional()
        .describe(
          'Private key file for the jump host. If neither a password nor a key is set, kubexm uses the key of the target host, then the SSH agent.',
        ),
      passphrase: secret().optional().describe('Passphrase of the private key.'),
      hostKey: hostKey().optional().describe('Expected SSH host key of the jump host.'),
    }),
  ],
  { error: 'must be host or user@host, with :port if the port is not 22, or {address, user, hostKey, …}' },
);

/** A host and its SSH login. */
export const hostSchema = z.strictObject({
  name: formatted('a DNS-1123 name: a-z, 0-9, - and dots', isHostName).describe(
    'Host name, also used as the Kubernetes node name.',
  ),
  address: ipOrName().describe('SSH address: an IP address, or a DNS name (which requires internalAddress).'),
  internalAddress: addressPair()
    .optional()
    .describe(
      'IP address inside the cluster. For dual stack: an IPv4 and an IPv6 address, separated by a comma. Defaults to address.',
    ),
  port: port().default(22).describe('SSH port.'),
  user: userName().default('root').describe('SSH user. Users other than root require sudo.'),
  password: secret()
    .optional()
    .describe('SSH password. Use {env: NAME}, {file: path} or {exec: command} instead of plain text.'),
  privateKey: secret().optional().describe('Content of the private key, instead of privateKeyPath.'),
  privateKeyPath: text()
    .optional()
    .describe(
      'Private key file. If neither a password nor a key is set, kubexm uses ~/.ssh/id_rsa, then the SSH agent.',
    ),
  passphrase: secret().optional().describe('Passphrase of the private key.'),
  sudoPassword: secret().optional().describe('sudo password. Defaults to password.'),
  arch: choice(ARCHES).optional().describe('CPU architecture. Detected if not set; otherwise it must match the host.'),
  labels: z
    .record(
      labelKey(),
      z
        .union([labelValue(), z.number(), z.boolean()], {
          error: 'must be a label value: at most 63 characters from A-Z, a-z, 0-9, - _ .',
        })
        .transform(String),
    )
    .default({})
    .describe('Kubernetes node labels.'),
  taints: z.array(taint).default([]).describe('Kubernetes node taints.'),
  jump: jump
    .optional()
    .describe('SSH jump host: a name from hosts, user@host, or an object with its own credentials and host key.'),
  timeout: duration().prefault('30s').describe('Connection timeout.'),
  hostKey: hostKey().optional().describe('Expected SSH host key. If not set, hostKeys applies.'),
});

const TAINT = /^([A-Za-z0-9./_-]+)(?:=([\w.-]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/;
const JUMP = /^([a-z_][a-z0-9_.-]*@)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/i;
const HOST_KEY =
  /^(SHA256:[A-Za-z0-9+/]{43}=?|(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]+=*( \S+)?)$/;

function toTaint(value: string) {
  const [, key = '', content = '', effect] = TAINT.exec(value) ?? [];
  return { key, value: content, effect: effects.find((each) => each === effect) ?? 'NoSchedule' };
}

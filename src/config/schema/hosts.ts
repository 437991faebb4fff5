import { z } from 'zod';
import { ARCHES } from '../../common/host.ts';
import { isHostName } from '../value/dns-name.ts';
import { addressPair, choice, duration, formatted, ipOrName, port, secret, text } from './fields.ts';

const labelKey = () =>
  formatted('a label key such as disk or example.com/disk', (key) => /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(key));
const labelValue = () =>
  formatted('a label value: at most 63 of A-Z, a-z, 0-9, - _ .', (value) => /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/.test(value));

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
const taint = z.union(
  [
    formatted('a taint such as dedicated=db:NoSchedule', (value) => TAINT.test(value)).transform(toTaint),
    z.strictObject({ key: labelKey().describe('Name of the taint.'), value: labelValue().default('').describe('Its value.'), effect: choice(effects).describe('What happens to pods that do not tolerate it.') }),
  ],
  { error: 'must be a taint such as dedicated=db:NoSchedule, or {key, value, effect}' },
);

/** One machine and how it is reached. */
export const hostSchema = z.strictObject({
  name: formatted('a DNS-1123 name: a-z, 0-9, - and dots', isHostName).describe('Name of the host; becomes its host name and Kubernetes node name.'),
  address: ipOrName().describe('Where SSH reaches it: an IP address, or a DNS name (then internalAddress is needed).'),
  internalAddress: addressPair().optional().describe('Address inside the cluster, "v4" or "v4,v6". The same as address if not given.'),
  port: port().default(22).describe('Port of sshd.'),
  user: formatted('a user name', (name) => /^[a-z_][a-z0-9_.-]{0,31}\$?$/i.test(name)).default('root').describe('User to log in as; others than root need sudo.'),
  password: secret().optional().describe('Password of the user. Better {env: NAME}, {file: path} or {exec: command} than the text itself.'),
  privateKey: secret().optional().describe('Private key itself, instead of privateKeyPath.'),
  privateKeyPath: text().optional().describe('Private key file. Without password and key: ~/.ssh/id_rsa, then the agent.'),
  passphrase: secret().optional().describe('Opens an encrypted private key.'),
  sudoPassword: secret().optional().describe('Password for sudo, when it asks for one. The same as password if not given.'),
  arch: choice(ARCHES).optional().describe('Processor family. Found out by itself; if given, it must match.'),
  labels: z.record(labelKey(), z.union([labelValue(), z.number(), z.boolean()], { error: 'must be a label value: at most 63 of A-Z, a-z, 0-9, - _ .' }).transform(String)).default({}).describe('Kubernetes labels of the node.'),
  taints: z.array(taint).default([]).describe('Kubernetes taints of the node.'),
  jump: formatted('host or user@host, with :port if it is not 22', (value) => JUMP.test(value)).optional().describe('Goes through this host first: a name from hosts, or user@host.'),
  timeout: duration().prefault('30s').describe('How long to wait for a connection.'),
  hostKey: formatted('a public key such as "ssh-ed25519 AAAA…" or a fingerprint "SHA256:…"', (value) => HOST_KEY.test(value))
    .optional()
    .describe('Pins the host key. Without it the key is remembered on first use.'),
});

const TAINT = /^([A-Za-z0-9./_-]+)(?:=([\w.-]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/;
const JUMP = /^([a-z_][a-z0-9_.-]*@)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d{1,5})?$/i;
const HOST_KEY = /^(SHA256:[A-Za-z0-9+/]{43}=?|(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]+=*( \S+)?)$/;

function toTaint(value: string) {
  const [, key = '', content = '', effect] = TAINT.exec(value) ?? [];
  return { key, value: content, effect: effects.find((each) => each === effect) ?? 'NoSchedule' };
}

import { randomInt } from 'node:crypto';
import { Secret } from '../../common/secret.ts';
import { sh } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { BOOTSTRAP_GROUP } from '../../template/kubeadm/init.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';

/** A new bootstrap token, "abcdef.0123456789abcdef". */
export const newToken = (): Secret => new Secret(`${randomText(6)}.${randomText(16)}`);

/** Creates a bootstrap token for one node, and deletes it when that node has joined or failed to join. */
export async function withToken<T>(master: Runner, use: (token: Secret) => Promise<T>): Promise<T> {
  const token = newToken();
  await master.run(kubectl(sh`apply -f -`), { stdin: JSON.stringify(tokenSecret(token, MINUTES)) });
  try {
    return await use(token);
  } finally {
    await removeToken(master, token);
  }
}

/** Ignores errors: the token expires by itself, and the node may have joined successfully. */
export async function removeToken(master: Runner, token: Secret): Promise<void> {
  const name = `bootstrap-token-${idOf(token)}`;
  await master.run(kubectl(sh`-n kube-system delete secret ${name} --ignore-not-found`)).catch(() => undefined);
}

/** Long enough for a slow node; limits the lifetime of a token that could not be deleted. */
const MINUTES = 30;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const randomText = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

const idOf = (token: Secret) => token.reveal().split('.')[0] ?? '';

function tokenSecret(token: Secret, minutes: number, now = new Date()): object {
  const [id = '', secret = ''] = token.reveal().split('.');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': secret,
      description: 'Created by kubexm to join one node.',
      expiration: new Date(now.getTime() + minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z'),
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': BOOTSTRAP_GROUP,
    },
  };
}

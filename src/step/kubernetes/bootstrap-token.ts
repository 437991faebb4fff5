import { randomInt } from 'node:crypto';
import { Secret } from '../../common/secret.ts';
import { sh } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { BOOTSTRAP_GROUP } from '../../template/kubeadm/init.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';

/** What a node may introduce itself with, "abcdef.0123456789abcdef". */
export const newToken = (): Secret => new Secret(`${letters(6)}.${letters(16)}`);

/** Makes a token for one node, and takes it away again when that node has joined or failed to. */
export async function withToken<T>(master: Runner, act: (token: Secret) => Promise<T>): Promise<T> {
  const token = newToken();
  await master.run(kubectl(sh`apply -f -`), { stdin: JSON.stringify(tokenSecret(token, MINUTES)) });
  try {
    return await act(token);
  } finally {
    await removeToken(master, token);
  }
}

/** One that cannot be taken away now ends by itself: that is no reason to call a node that has joined a failure. */
export async function removeToken(master: Runner, token: Secret): Promise<void> {
  const name = `bootstrap-token-${idOf(token)}`;
  await master.run(kubectl(sh`-n kube-system delete secret ${name} --ignore-not-found`)).catch(() => undefined);
}

/** Long enough for a slow node; if nobody is left to take it away, it ends by itself. */
const MINUTES = 30;

const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const letters = (length: number) => Array.from({ length }, () => SIGNS[randomInt(SIGNS.length)]).join('');

const idOf = (token: Secret) => token.reveal().split('.')[0] ?? '';

export function tokenSecret(token: Secret, minutes: number, now = new Date()): object {
  const [id = '', secret = ''] = token.reveal().split('.');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': secret,
      description: 'Made by kubexm for one node to join.',
      expiration: new Date(now.getTime() + minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z'),
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': BOOTSTRAP_GROUP,
    },
  };
}

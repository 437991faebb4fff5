import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { SecretSource } from '../../config/model/secrets.ts';
import type { Target } from '../../connector/target.ts';
import { expandHome } from '../../common/home.ts';
import { resolveSecret } from './resolve-secret.ts';

/** Builds the SSH target of a host, with secrets resolved and jump hosts included. */
export async function sshTarget(cluster: Cluster, host: ClusterHost): Promise<Target> {
  const { login, name } = host;
  const secret = (key: 'password' | 'privateKey' | 'passphrase' | 'sudoPassword') =>
    resolve(login[key], `${name}.${key}`);
  const [password, privateKey, passphrase, sudoPassword] = await Promise.all([
    secret('password'),
    secret('privateKey'),
    secret('passphrase'),
    secret('sudoPassword'),
  ]);
  const { address, port, user, timeoutMs, hostKey, privateKeyPath } = login;
  const target = { name, address, port, user, timeoutMs, hostKey, password, privateKey, passphrase, sudoPassword };
  const withKey = { ...target, privateKeyPath: privateKeyPath && expandHome(privateKeyPath) };
  return { ...withKey, jump: login.jump === undefined ? undefined : await jumpTarget(cluster, login.jump, withKey) };
}

const resolve = (source: SecretSource | undefined, field: string) => source && resolveSecret(source, field);

/**
 * The jump host is another cluster host or `user@host:port`; the latter uses the credentials of the host behind it, and
 * the SSH agent.
 */
async function jumpTarget(cluster: Cluster, jump: string, behind: Target): Promise<Target> {
  const member = cluster.hosts.find(({ name }) => name === jump);
  if (member) return sshTarget(cluster, member);
  const [, user = behind.user, address = jump, port = '22'] = /^(?:(.+)@)?(.+?)(?::(\d+))?$/.exec(jump) ?? [];
  const { privateKey, privateKeyPath, passphrase, password, timeoutMs } = behind;
  return {
    name: address,
    address,
    port: Number(port),
    user,
    privateKey,
    privateKeyPath,
    passphrase,
    password,
    timeoutMs,
  };
}

import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { SecretSource } from '../../config/model/secret-source.ts';
import type { Target } from '../../connector/target.ts';
import { expandHome } from '../../util/expand-home.ts';
import { resolveSecret } from './resolve-secret.ts';

/** How a host of a cluster is reached, with its secrets found and its jump hosts in front. */
export async function targetOf(cluster: Cluster, host: ClusterHost): Promise<Target> {
  const { login, name } = host;
  const secret = (key: 'password' | 'privateKey' | 'passphrase' | 'sudoPassword') => find(login[key], `${name}.${key}`);
  const [password, privateKey, passphrase, sudoPassword] = await Promise.all([
    secret('password'),
    secret('privateKey'),
    secret('passphrase'),
    secret('sudoPassword'),
  ]);
  const { address, port, user, timeoutMs, hostKey, privateKeyPath } = login;
  const target = { name, address, port, user, timeoutMs, hostKey, password, privateKey, passphrase, sudoPassword };
  const withKey = { ...target, privateKeyPath: privateKeyPath && expandHome(privateKeyPath) };
  return { ...withKey, jump: login.jump === undefined ? undefined : await jumpOf(cluster, login.jump, withKey) };
}

const find = (source: SecretSource | undefined, field: string) => source && resolveSecret(source, field);

/** A host of the file, or user@host: that one is opened with the keys of the host behind it, and the agent. */
async function jumpOf(cluster: Cluster, jump: string, behind: Target): Promise<Target> {
  const member = cluster.hosts.find(({ name }) => name === jump);
  if (member) return targetOf(cluster, member);
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

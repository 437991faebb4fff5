import type { Cluster, ClusterHost, Jump } from '../../config/model/cluster.ts';
import type { SecretSource } from '../../config/model/secrets.ts';
import type { Target } from '../../connector/target.ts';
import { expandHome } from '../../common/home.ts';
import { resolveSecret } from './resolve-secret.ts';

/** Builds the SSH target of a host, with secrets resolved and jump hosts included. */
export async function sshTarget(cluster: Cluster, host: ClusterHost): Promise<Target> {
  const { login, name } = host;
  const [credentials, sudoPassword] = await Promise.all([
    resolveCredentials(login, name),
    resolve(login.sudoPassword, `${name}.sudoPassword`),
  ]);
  const { address, port, user, timeoutMs, hostKey } = login;
  const target = { name, address, port, user, timeoutMs, hostKey, ...credentials, sudoPassword };
  return { ...target, jump: login.jump && (await jumpTarget(cluster, login.jump, target)) };
}

type Credentials = Pick<Target, 'password' | 'privateKey' | 'privateKeyPath' | 'passphrase'>;

async function resolveCredentials(
  login: Pick<ClusterHost['login'], keyof Credentials>,
  field: string,
): Promise<Credentials> {
  const [password, privateKey, passphrase] = await Promise.all([
    resolve(login.password, `${field}.password`),
    resolve(login.privateKey, `${field}.privateKey`),
    resolve(login.passphrase, `${field}.passphrase`),
  ]);
  return {
    password,
    privateKey,
    passphrase,
    privateKeyPath: login.privateKeyPath === undefined ? undefined : expandHome(login.privateKeyPath),
  };
}

const resolve = (source: SecretSource | undefined, field: string) => source && resolveSecret(source, field);

/**
 * A jump host that is not part of the cluster uses its own credentials, or else the key of the host behind it and the
 * SSH agent. It never gets the password of that host: whoever controls the jump host could then log in to it.
 */
async function jumpTarget(cluster: Cluster, jump: Jump, behind: Target): Promise<Target> {
  if (jump.type === 'host') {
    const member = cluster.hosts.find(({ name }) => name === jump.name);
    if (!member) throw new TypeError(`${jump.name} is not a host of ${cluster.name}`);
    return sshTarget(cluster, member);
  }
  const { address, port, user = behind.user, hostKey } = jump;
  const own = await resolveCredentials(jump, `${behind.name}.jump`);
  const target = { name: address, address, port, user, hostKey, timeoutMs: behind.timeoutMs };
  if (own.password ?? own.privateKey ?? own.privateKeyPath) return { ...target, ...own };
  const { privateKey, privateKeyPath, passphrase } = behind;
  const loginNote = behind.password
    ? `A jump host does not get the password of ${behind.name}; set jump: {address: ${address}, user: ${user}, password: …}.`
    : undefined;
  return { ...target, privateKey, privateKeyPath, passphrase, agent: true, loginNote };
}

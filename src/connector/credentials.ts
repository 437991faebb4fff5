import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type AnyAuthMethod, type ParsedKey } from 'ssh2';
import { fail } from '../common/errors/errors.ts';
import { expandHome } from '../common/home.ts';
import type { Target } from './target.ts';

/** A credential for SSH authentication. It is offered only once. */
export interface Credential {
  /** Name in messages, such as "password". */
  readonly label: string;
  /** Returns the authentication method to use, or undefined if the credential supports none of the accepted methods. */
  offer(accepted: readonly string[]): AnyAuthMethod | undefined;
}

/** Returns the credentials for a host, in the order in which they are offered: private key, password, agent. */
export async function credentialsOf(target: Target): Promise<readonly Credential[]> {
  const { user, password, privateKey, privateKeyPath, agent } = target;
  const given = password ?? privateKey ?? privateKeyPath ?? (agent === false ? undefined : agent);
  const keys = given === undefined ? await defaultKey(target) : await givenKeys(target);
  const socket = typeof agent === 'string' ? agent : (agent ?? given === undefined) ? process.env['SSH_AUTH_SOCK'] : '';
  return [
    ...keys,
    ...(password ? [passwordCredential(user, password.reveal())] : []),
    ...(socket ? [agentCredential(user, socket)] : []),
  ];
}

async function givenKeys(target: Target): Promise<readonly Credential[]> {
  const { name: host, user, privateKey, privateKeyPath } = target;
  if (privateKey) return [keyCredential(user, 'private key', parse(target, 'privateKey', privateKey.reveal()))];
  if (privateKeyPath === undefined) return [];
  const path = expandHome(privateKeyPath);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw fail('KEY_UNREADABLE', { host, key: path, reason: error instanceof Error ? error.message : '' }, error);
  });
  return [keyCredential(user, `private key ${path}`, parse(target, path, text))];
}

async function defaultKey(target: Target): Promise<readonly Credential[]> {
  const path = join(homedir(), '.ssh', 'id_rsa');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  try {
    return [keyCredential(target.user, `private key ${path}`, parse(target, path, text))];
  } catch {
    return []; // the key was not configured, and the agent may hold it decrypted
  }
}

function parse({ name: host, passphrase }: Target, key: string, text: string): ParsedKey {
  const parsed: unknown = ssh2.utils.parseKey(text, passphrase?.reveal());
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (isPrivate(first)) return first;
  const reason = first instanceof Error ? first.message : 'not a private key';
  if (/passphrase|encrypted|decrypt|bad decrypt|integrity/i.test(reason)) {
    throw fail('KEY_NEEDS_PASSPHRASE', { host, key, given: passphrase ? 'one' : 'none' });
  }
  throw fail('KEY_UNREADABLE', { host, key, reason });
}

const isPrivate = (key: unknown): key is ParsedKey =>
  typeof key === 'object' && key !== null && 'isPrivateKey' in key && !(key instanceof Error);

const keyCredential = (username: string, label: string, key: ParsedKey): Credential => ({
  label,
  offer: (accepted) => (accepted.includes('publickey') ? { type: 'publickey', username, key } : undefined),
});

// Some hosts accept the password only with the method keyboard-interactive. Only one method is used, so that a wrong
// password counts as one failed login.
const passwordCredential = (username: string, password: string): Credential => ({
  label: 'password',
  offer(accepted) {
    if (accepted.includes('password')) return { type: 'password', username, password };
    if (!accepted.includes('keyboard-interactive')) return undefined;
    return {
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _instructions, _language, prompts, finish) => finish(prompts.map(() => password)),
    };
  },
});

const agentCredential = (username: string, agent: string): Credential => ({
  label: 'agent',
  offer: (accepted) => (accepted.includes('publickey') ? { type: 'agent', username, agent } : undefined),
});

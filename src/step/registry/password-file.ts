import type { Secret } from '../../common/secret.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import { rememberPath, restorePath } from '../contract/backup.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

export interface PasswordFileOptions {
  readonly path: string;
  readonly owner: string;
  readonly username: string;
  /** Undefined if the credentials were not loaded. */
  readonly password: Secret | undefined;
}

/**
 * Ensures that the htpasswd file has exactly this user. Hashes are salted, so the password is verified instead of
 * comparing hashes.
 */
export function passwordFile({ path, owner, username, password }: PasswordFileOptions): GenericStep {
  const mode = 0o640;
  return Object.freeze<GenericStep>({
    key: `password-file:${path}`,
    summary: `write ${path}`,
    formerly: [`write ${path}`],
    async precheck({ runner }) {
      const [state, content] = await Promise.all([runner.stat(path), runner.read(path)]);
      const differences = pathDifferences(state, { type: 'file', mode, owner });
      const matches = content === undefined || (await acceptsPassword(content, username, password));
      return findingOf(matches ? differences : [...differences, 'user or password differs']);
    },
    remember: (ctx) => rememberPath(ctx, copyOf(path), path),
    async run({ runner }) {
      const { hash } = await import('bcryptjs');
      await runner.write({ path, content: `${username}:${await hash(password?.reveal() ?? '', COST)}\n`, mode, owner });
    },
    rollback: (ctx, before) => restorePasswordFile(ctx, path, before),
  });
}

/** Restores the original file at the path, or removes the one that kubexm wrote. */
export const restorePasswordFile: Restore = (ctx, path, before) => restorePath(ctx, copyOf(path), path, before);

/** The name of the backup. It is stored on hosts and must not change. */
const copyOf = (path: string) => `password file ${path}`;

/** The registry verifies the password on every request. Files with a lower cost, of earlier versions, stay valid. */
const COST = 10;

async function acceptsPassword(content: string, username: string, password: Secret | undefined): Promise<boolean> {
  const [line = '', ...others] = content.trimEnd().split('\n');
  const [name, hashed = ''] = line.split(/:(.*)/s);
  if (others.length > 0 || name !== username || password === undefined) return false;
  const { compare } = await import('bcryptjs');
  return compare(password.reveal(), hashed).catch(() => false);
}

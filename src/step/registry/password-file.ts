import type { Secret } from '../../common/secret.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import { rememberPath, restorePath } from '../contract/backup.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** A user and a password, and the file that lets them in. */
export interface PasswordFileOptions {
  readonly path: string;
  readonly owner: string;
  readonly username: string;
  /** Undefined when it is only to be undone. */
  readonly password: Secret | undefined;
}

/** The file has this user with this password, and nobody else. Its hashes are salted, so they are tried, not compared. */
export function passwordFile({ path, owner, username, password }: PasswordFileOptions): GenericStep {
  const mode = 0o640;
  return Object.freeze<GenericStep>({
    key: `password-file:${path}`,
    summary: `write ${path}`,
    formerly: [`write ${path}`],
    async precheck({ runner }) {
      const [state, content] = await Promise.all([runner.stat(path), runner.read(path)]);
      const differences = pathDifferences(state, { type: 'file', mode, owner });
      const fits = content === undefined || (await acceptsPassword(content, username, password));
      return findingOf(fits ? differences : [...differences, 'its user or password differs']);
    },
    remember: (ctx) => rememberPath(ctx, copyOf(path), path),
    async run({ runner }) {
      const { hash } = await import('bcryptjs');
      await runner.write({ path, content: `${username}:${await hash(password?.reveal() ?? '', COST)}\n`, mode, owner });
    },
    rollback: (ctx, before) => restorePasswordFile(ctx, path, before),
  });
}

/** Brings back the file that was at the path, or removes ours. */
export const restorePasswordFile: Restore = (ctx, path, before) => restorePath(ctx, copyOf(path), path, before);

/** Names the copy that is kept of the file; permanent. */
const copyOf = (path: string) => `password file ${path}`;

// Every request is checked against it: a dearer one would make pulls of many nodes wait for the processor.
const COST = 6;

async function acceptsPassword(content: string, username: string, password: Secret | undefined): Promise<boolean> {
  const [line = '', ...others] = content.trimEnd().split('\n');
  const [name, hashed = ''] = line.split(/:(.*)/s);
  if (others.length > 0 || name !== username || password === undefined) return false;
  const { compare } = await import('bcryptjs');
  return compare(password.reveal(), hashed).catch(() => false);
}

import { Secret } from '../../common/secret.ts';
import { fileFinding } from './file-finding.ts';
import { rememberPath, restorePath } from '../contract/backup.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

export interface FileOptions {
  readonly path: string;
  readonly content: string | Secret;
  /** 0644 by default. */
  readonly mode?: number;
  /** "root:root" by default. */
  readonly owner?: string;
  /** Reports that the content differs, but no diff. */
  readonly secret?: boolean;
}

/** Ensures that the file exists with exactly this content, mode and owner. */
export function file({ path, content, mode = 0o644, owner = 'root:root', secret = false }: FileOptions): GenericStep {
  const text = content instanceof Secret ? content.reveal() : content;
  const masked = secret || content instanceof Secret;
  return Object.freeze<GenericStep>({
    key: `file:${path}`,
    summary: `write ${path}`,
    together: 'files',
    formerly: [`write ${path}`],
    async precheck({ runner }) {
      const [state, current] = await Promise.all([runner.stat(path), runner.read(path)]);
      return fileFinding({ state, content: current }, { path, content: text, mode, owner, secret: masked });
    },
    remember: (ctx) => rememberPath(ctx, copyOf(path), path),
    run: ({ runner }) => runner.write({ path, content: text, mode, owner }),
    rollback: (ctx, before) => restoreFile(ctx, path, before),
  });
}

/** Restores the previous file, or removes ours. */
export const restoreFile: Restore = (ctx, path, before) => restorePath(ctx, copyOf(path), path, before);

/** Name of the file's backup; must not change between releases. */
const copyOf = (path: string) => `file ${path}`;

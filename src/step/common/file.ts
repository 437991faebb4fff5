import { Secret } from '../../common/secret.ts';
import { unifiedDiff } from '../../util/unified-diff.ts';
import { findingOf, pathDifferences } from '../difference.ts';
import { rememberPath, restorePath } from '../keep.ts';
import type { GenericStep } from '../step.ts';

/** What a file should be. */
export interface FileOptions {
  readonly path: string;
  readonly content: string | Secret;
  /** 0644 unless told. */
  readonly mode?: number;
  /** "root:root" unless told. */
  readonly owner?: string;
  /** Says only that the content differs, never how. */
  readonly secret?: boolean;
}

/** The file exists with exactly this content, mode and owner. */
export function file({ path, content, mode = 0o644, owner = 'root:root', secret = false }: FileOptions): GenericStep {
  const text = content instanceof Secret ? content.reveal() : content;
  const masked = secret || content instanceof Secret;
  const part = `file ${path}`;
  return Object.freeze<GenericStep>({
    summary: `write ${path}`,
    async precheck({ runner }) {
      const [state, current] = await Promise.all([runner.stat(path), runner.read(path)]);
      const differences = pathDifferences(state, { type: 'file', mode, owner });
      if (current === text || current === undefined) {
        return findingOf(differences, current === undefined && !masked ? unifiedDiff(path, '', text) : '');
      }
      return findingOf([...differences, 'its content differs'], masked ? '' : unifiedDiff(path, current, text));
    },
    remember: (ctx) => rememberPath(ctx, part, path),
    run: ({ runner }) => runner.write({ path, content: text, mode, owner }),
    rollback: (ctx, before) => restorePath(ctx, part, path, before),
  });
}

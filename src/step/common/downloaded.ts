import { chmod, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { localFile } from '../../runner/local-file.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { flagOf, numberOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { keptAt, requireKept } from '../contract/keep.ts';
import { makeKeepDir } from '../../runner/keep.ts';
import type { GenericStep } from '../contract/step.ts';

/** What comes from a host, and where it goes on this machine. */
export interface DownloadedOptions {
  readonly path: string;
  readonly localPath: string;
  /** Of the file here; 0600 unless told. */
  readonly mode?: number;
}

/** A file of this machine has the content that a file of the host has. */
export function downloaded({ path, localPath, mode = 0o600 }: DownloadedOptions): GenericStep {
  const part = `downloaded ${localPath}`;
  return Object.freeze<GenericStep>({
    summary: `download ${path} to ${localPath}`,
    state: part,
    async precheck({ runner }) {
      const [there, here] = await Promise.all([runner.sha256(path), localFile(localPath)]);
      if (there === undefined) return findingOf([`${path} does not exist yet`]);
      if (here === undefined) return findingOf(['it does not exist here']);
      return findingOf([
        ...(here.sha256 === there ? [] : ['its sum differs']),
        ...((await modeOf(localPath)) === mode ? [] : ['its mode differs']),
      ]);
    },
    async remember(ctx) {
      const here = await localFile(localPath);
      if (here === undefined) return { exists: false };
      // The host keeps it: what this machine had may be a secret, and belongs in no journal.
      await ctx.runner.run(makeKeepDir(ctx.keepDir));
      await ctx.runner.upload(here, { path: keptAt(ctx, part), mode: 0o600, owner: 'root:root' }, ctx.signal);
      return { exists: true, mode: await modeOf(localPath) };
    },
    async run({ runner, signal }) {
      await ensureFolder(dirname(localPath), 0o700);
      await runner.download(path, localPath, signal);
      await chmod(localPath, mode);
    },
    async rollback(ctx, before) {
      if (!flagOf(before, 'exists')) return rm(localPath, { force: true });
      await requireKept(ctx, part, localPath);
      await ctx.runner.download(keptAt(ctx, part), localPath, ctx.signal);
      await chmod(localPath, numberOf(before, 'mode'));
    },
  });
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;

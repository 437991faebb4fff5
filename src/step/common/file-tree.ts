import { dirname, join } from 'node:path/posix';
import { sh, type Command } from '../../runner/command.ts';
import { backUp, missingParents } from '../../runner/backup.ts';
import { flagOf, textsOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { fileFinding } from './file-finding.ts';
import { backupPath, requireBackup } from '../contract/backup.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** A file below a directory. */
export interface TreeFile {
  /** Path relative to the directory: "docker.io/hosts.toml". */
  readonly name: string;
  readonly content: string;
  /** Readable by root only and never shown. */
  readonly secret: boolean;
}

/** A directory and its complete content. */
export interface FileTreeOptions {
  readonly path: string;
  readonly files: readonly TreeFile[];
}

/** Ensures that the directory contains exactly these files, owned by root. */
export function fileTree({ path, files }: FileTreeOptions): GenericStep {
  const modeOf = ({ secret }: TreeFile) => (secret ? 0o600 : 0o644);
  return Object.freeze<GenericStep>({
    key: `file-tree:${path}`,
    summary: `write ${files.length === 1 ? '1 file' : `${files.length} files`} to ${path}`,
    formerly: [`file tree ${path}`, `write ${files.length} files below ${path}`],
    async precheck({ runner }) {
      const [listed, ...found] = await Promise.all([
        runner.query(sh`find ${path} -mindepth 1 ! -type d -printf '%P\n' 2>/dev/null; [ -d ${path} ] || echo .`),
        ...files.map(async (file) => {
          const at = join(path, file.name);
          const [state, content] = await Promise.all([runner.stat(at), runner.read(at)]);
          const { secret, content: wanted } = file;
          return fileFinding(
            { state, content },
            { path: at, content: wanted, mode: modeOf(file), owner: 'root:root', secret },
          );
        }),
      ]);
      const names = new Set(files.map(({ name }) => name));
      const unexpected = listed.stdout.split('\n').filter((name) => name !== '' && name !== '.' && !names.has(name));
      const differing = found.flatMap((finding, at) =>
        finding.done ? [] : [{ ...finding, name: files[at]?.name ?? '' }],
      );
      return findingOf(
        [
          ...(listed.stdout.split('\n').includes('.') ? ['does not exist'] : []),
          ...unexpected.map((name) => `unexpected file ${name}`),
          ...differing.map(({ name, because }) => `${name}: ${because}`),
        ],
        differing.flatMap(({ diff }) => diff ?? []).join('\n'),
      );
    },
    async remember(ctx) {
      const [state, missing] = await Promise.all([ctx.runner.stat(path), ctx.runner.query(missingParents(path))]);
      if (state) await ctx.runner.run(backUp(path, backupPath(ctx, copyOf(path))));
      return { exists: state !== undefined, missing: missing.stdout.split('\n').filter(Boolean) };
    },
    async run({ runner }) {
      await runner.run(removeOthers(path, files));
      for (const file of files) {
        const at = join(path, file.name);
        await runner.write({ path: at, content: file.content, mode: modeOf(file), owner: 'root:root' });
      }
    },
    rollback: (ctx, before) => restoreFileTree(ctx, path, before),
  });
}

/** Restores the directory from its backup, or removes ours. */
export const restoreFileTree: Restore = async (ctx, path, before) => {
  if (!flagOf(before, 'exists')) {
    const folders = textsOf(before, 'missing').map((folder) => sh`rmdir -- ${folder} 2>/dev/null || true`.text);
    await ctx.runner.run({ text: [sh`rm -rf -- ${path}`.text, ...folders].join('\n'), display: `remove ${path}` });
    return;
  }
  await requireBackup(ctx, copyOf(path), path);
  const kept = backupPath(ctx, copyOf(path));
  await ctx.runner.run({
    text: sh`rm -rf -- ${path}.kubexm-new && cp -a -- ${kept} ${path}.kubexm-new && rm -rf -- ${path} && mv -T -- ${path}.kubexm-new ${path}`
      .text,
    display: `restore ${path}`,
  });
};

/** Name of the directory's backup; must not change between releases. */
const copyOf = (path: string) => `file tree ${path}`;

/** Removes unexpected files and the directories that become empty. */
function removeOthers(path: string, files: readonly TreeFile[]): Command {
  const keep = files.map(({ name }) => sh`! -path ${literal(join(path, name))}`.text).join(' ');
  const folders = [...new Set([path, ...files.map(({ name }) => dirname(join(path, name)))])];
  const { text } =
    sh`umask 022; mkdir -p -- ${{ text: folders.map((one) => sh`${one}`.text).join(' '), display: '' }} || exit
find ${path} -mindepth 1 ! -type d ${{ text: keep, display: '' }} -delete || exit`;
  const empty = folders.map((folder) => sh`! -path ${literal(folder)}`.text).join(' ');
  return {
    text: `${text}\n${sh`find ${path} -mindepth 1 -type d -empty`.text} ${empty} -delete`,
    display: `remove unexpected files below ${path}`,
  };
}

const literal = (path: string) => path.replaceAll(/[*?[\]\\]/g, '\\$&');

import { basename, join } from 'node:path/posix';
import { fail } from '../../common/errors/errors.ts';
import { sh, type Command } from '../../runner/command.ts';
import { makeBackupDir, missingParents } from '../../runner/backup.ts';
import { SHA256_FUNCTION } from '../../runner/path-commands.ts';
import { textsOf } from '../../util/json-fields.ts';
import type { CachedFile, FoundFile } from './cached-file.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import { backupPath, backupName, requireBackup } from '../contract/backup.ts';
import { stage } from './staging.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** Which programs of a cached file are installed, and where. */
export interface InstalledOptions {
  /** Names the backups, independent of the version: "containerd". */
  readonly name: string;
  readonly file: CachedFile;
  readonly into: string;
  /** Selects members of the archive; all by default. */
  readonly wanted?: (member: string) => boolean;
  /** 0755 by default. */
  readonly mode?: number;
}

/** The programs of a cached file are in a directory, unmodified and owned by root. */
export function installed({ name, file, into, wanted = () => true, mode = 0o755 }: InstalledOptions): GenericStep {
  const target = `${name}@${into}`;
  const chosen = ({ members }: FoundFile) => members.filter((member) => wanted(member.name));
  const find = async (host: string) => {
    const found = await file.find();
    if (!found) throw fail('ASSET_MISSING', { host, item: file.title });
    return found;
  };
  return Object.freeze<GenericStep>({
    key: `installed:${target}`,
    summary: `install ${file.title} into ${into}`,
    formerly: [`installed ${name} ${into}`, `install ${file.title} into ${into}`],
    async precheck({ runner }) {
      const found = await file.find();
      if (!found) return findingOf([`${file.title} is not in the cache yet`]);
      const checks = chosen(found).map(async (member) => {
        const path = join(into, basename(member.name));
        const [state, checksum] = await Promise.all([runner.stat(path), runner.sha256(path)]);
        const differences = pathDifferences(state, { type: 'file', mode, owner: 'root:root' });
        const isSame = checksum === undefined || checksum === member.sha256;
        const all = isSame ? differences : [...differences, 'checksum differs'];
        return all.length === 0 ? [] : [`${basename(path)}: ${all.join(', ')}`];
      });
      const differ = (await Promise.all(checks)).flat();
      return findingOf([...differ.slice(0, 3), ...(differ.length > 3 ? [`and ${differ.length - 3} more`] : [])]);
    },
    async remember(ctx) {
      const names = chosen(await find(ctx.host.name)).map((member) => basename(member.name));
      const missing = await ctx.runner.query(missingParents(`${into}/x`));
      await ctx.runner.run(backUpFiles(ctx.keepDir, backupPath(ctx, copyOf(target)), into, names));
      return { names, missing: missing.stdout.split('\n').filter(Boolean) };
    },
    async run(ctx) {
      const found = await find(ctx.host.name);
      const staged = await stage(ctx, found.blob, file.title);
      const act = unpack(staged, found, chosen(found), into, mode);
      await ctx.runner.run({ ...act, display: `install ${file.title}` }, streamOutput(ctx));
    },
    rollback: (ctx, before) => restoreInstalled(ctx, target, before),
    // A later version may have additional files.
    extend(origin, before) {
      const known = textsOf(origin, 'names');
      const more = textsOf(before, 'names').filter((each) => !known.includes(each));
      if (more.length === 0) return undefined;
      const names = [...known, ...more];
      return {
        before: { names, missing: [...textsOf(origin, 'missing')] },
        copies: more.map((each) => `${backupName(copyOf(target))}/${each}`),
      };
    },
  });
}

/** Removes new programs and restores replaced ones. The target contains the component and the directory. */
export const restoreInstalled: Restore = async (ctx, target, before) => {
  const into = target.slice(target.indexOf('@') + 1);
  await requireBackup(ctx, copyOf(target), into);
  const kept = backupPath(ctx, copyOf(target));
  await ctx.runner.run(restoreFiles(kept, into, textsOf(before, 'names'), textsOf(before, 'missing')));
};

/** Name of the backup directory; must not change between releases. */
const copyOf = (target: string) => `installed ${target.replace('@', ' ')}`;

/** Unpacks next to the target, verifies the checksums and renames, so that running processes keep the old file. */
function unpack(
  staged: string,
  { archive, blob }: FoundFile,
  members: FoundFile['members'],
  into: string,
  mode: number,
): Command {
  const beside = join(into, `.kubexm-${blob.sha256.slice(0, 12)}`);
  const names = members.map((member) => sh`${member.name}`.text).join(' ');
  const unpackMembers = archive
    ? sh`tar -x -m --no-same-owner -f ${staged} -C ${beside}`.text + ` -- ${names}`
    : linkOrCopy(staged, { text: sh`${beside}`.text + `/${names}`, display: '' }).text;
  const verify = members.map(
    ({ name, sha256 }) =>
      sh`[ "$(sha256_of ${name})" = ${sha256} ] || { echo ${name}: checksum does not match >&2; exit 1; }`.text,
  );
  // Unchanged files keep their modification time, which decides whether services are restarted.
  const replace = members.map(
    (member) =>
      sh`n=./${member.name}; p=${join(into, basename(member.name))}
if [ -f "$p" ] && [ ! -L "$p" ] && cmp -s -- "$n" "$p"; then chown root:root "$p" && chmod ${mode.toString(8)} "$p" || exit
else touch -- "$n" && mv -fT -- "$n" "$p" || exit; fi`.text,
  );
  const { text } = sh`umask 022; b=${beside}; mkdir -p -- ${into} && rm -rf -- "$b" && mkdir -- "$b" || exit
trap 'rm -rf -- "$b"' EXIT; trap 'exit 129' HUP INT TERM
${{ text: unpackMembers, display: '' }} && cd "$b" || exit
${SHA256_FUNCTION}
${{ text: verify.join('\n'), display: '' }}
chown root:root -- ${{ text: names, display: '' }} && chmod ${mode.toString(8)} -- ${{ text: names, display: '' }} && sync -- ${{ text: names, display: '' }} || exit
${{ text: replace.join('\n'), display: '' }}
cd /`;
  return { text, display: '' };
}

/**
 * Hard-links the staged file if both paths are on the same file system. Copies it under SELinux, which labels files by
 * the directory they were created in, and while an interrupted upload may still have it open for writing, because such a
 * program cannot be executed.
 */
const linkOrCopy = (staged: string, path: Command): Command =>
  sh`{ { [ ! -e /sys/fs/selinux/enforce ] && ! find /proc/[0-9]*/fd -lname ${staged} 2>/dev/null | grep -q . && ln -- ${staged} ${path} 2>/dev/null; } || cp -- ${staged} ${path}; }`;

/** Backs up the files that will be replaced. */
function backUpFiles(keepDir: string, kept: string, into: string, names: readonly string[]): Command {
  const each = names.map((name) => {
    const path = join(into, name);
    return sh`[ ! -e ${path} ] && [ ! -L ${path} ] || cp -a --reflink=auto -- ${path} ${kept}/${name} || exit`.text;
  });
  const { text } = sh`${makeBackupDir(keepDir)} && rm -rf -- ${kept} && mkdir -m 700 -- ${kept} || exit`;
  return { text: [text, ...each].join('\n'), display: `back up programs in ${into}` };
}

/** Removes new files, restores replaced ones, and removes the directories created for them if they are empty. */
function restoreFiles(kept: string, into: string, names: readonly string[], folders: readonly string[]): Command {
  const each = names.map((name) => {
    const path = join(into, name);
    const beside = join(into, `.${name}.kubexm-new`);
    return sh`if [ -e ${kept}/${name} ] || [ -L ${kept}/${name} ]
then rm -rf -- ${beside} && cp -a --reflink=auto -- ${kept}/${name} ${beside} && mv -fT -- ${beside} ${path} || exit
else rm -f -- ${path} || exit; fi`.text;
  });
  const removeFolders = folders.map((folder) => sh`rmdir -- ${folder} 2>/dev/null || true`.text);
  return { text: [...each, ...removeFolders].join('\n'), display: `restore programs in ${into}` };
}

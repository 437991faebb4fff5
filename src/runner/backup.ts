import { dirname } from 'node:path/posix';
import { sh, type Command } from './command.ts';
import { NOT_FOUND } from './path-commands.ts';
import { moveIntoPlace, temporaryPath } from './write-command.ts';

/** Copies a path with all its attributes to a backup that only root can read. */
export const backUp = (path: string, backup: string): Command => ({
  text: sh`${makePrivate(dirname(backup))} && rm -rf -- ${backup} ${temporaryPath(backup)} && cp -a --reflink=auto -- ${path} ${temporaryPath(backup)} && mv -T -- ${temporaryPath(backup)} ${backup}`
    .text,
  display: `back up ${path}`,
});

/**
 * Restores a path from its backup and keeps the backup, so that this can be repeated. Exits with NOT_FOUND if there is
 * no backup.
 */
export const restoreBackup = (path: string, backup: string): Command => ({
  text: sh`${isMissing(backup)} && exit ${NOT_FOUND}
mkdir -p -- ${dirname(path)} && rm -rf -- ${temporaryPath(path)} && cp -a --reflink=auto -- ${backup} ${temporaryPath(path)} && { ${moveIntoPlace(path)}; }`
    .text,
  display: `restore ${path}`,
});

/** Removes a path. Moves it to the backup, unless a backup with the original content already exists. */
export const moveToBackup = (path: string, backup: string): Command => ({
  text: sh`${isMissing(path)} && exit 0
${makePrivate(dirname(backup))} || exit
if ${isMissing(backup)}; then
  rm -rf -- ${temporaryPath(backup)}
  mv -T -- ${path} ${temporaryPath(backup)} && mv -T -- ${temporaryPath(backup)} ${backup}
else rm -rf -- ${path}; fi`.text,
  display: `remove ${path}`,
});

/**
 * Moves a backup to its original path. Does nothing if there is no backup, because it was already moved or never
 * created.
 */
export const moveFromBackup = (path: string, backup: string): Command => ({
  text: sh`${isMissing(backup)} && exit 0
mkdir -p -- ${dirname(path)} && rm -rf -- ${temporaryPath(path)} && cp -a --reflink=auto -- ${backup} ${temporaryPath(path)} || exit
rm -rf -- ${path} && mv -T -- ${temporaryPath(path)} ${path} && rm -rf -- ${backup}`.text,
  display: `restore ${path}`,
});

/** Removes a file and its parent folders in `parents` that are empty. */
export const removeWithParents = (path: string, parents: readonly string[]): Command => {
  const each = parents.map((folder) => sh`rmdir -- ${folder} 2>/dev/null || true`.text);
  return { text: [sh`rm -f -- ${path} || exit`.text, ...each].join('\n'), display: `remove ${path}` };
};

/** Prints the missing parent folders of a path, deepest first. */
export const missingParents = (path: string): Command =>
  sh`p=${path}; while p=$(dirname -- "$p"); [ ! -e "$p" ]; do printf '%s\n' "$p"; done`;

const isMissing = (path: string) => sh`{ [ ! -e ${path} ] && [ ! -L ${path} ]; }`;

const makePrivate = (folder: string) => sh`(umask 077; mkdir -p -- ${folder})`;

/** Creates the backup folder, which only root can read. */
export const makeBackupDir = (path: string): Command => ({ ...makePrivate(path), display: `create ${path}` });

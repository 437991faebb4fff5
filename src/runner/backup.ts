import { dirname } from 'node:path/posix';
import { sh, type Command } from './command.ts';
import { NOT_FOUND } from './path-commands.ts';
import { temporaryPath, moveIntoPlace } from './write-command.ts';

/** Copies what is at a path, with all that belongs to it, to a place where only root comes. */
export const backUp = (path: string, kept: string): Command => ({
  text: sh`${privateFolder(dirname(kept))} && rm -rf -- ${kept} ${temporaryPath(kept)} && cp -a --reflink=auto -- ${path} ${temporaryPath(kept)} && mv -T -- ${temporaryPath(kept)} ${kept}`
    .text,
  display: `keep a copy of ${path}`,
});

/** Puts the copy back; the copy stays, so that this can be done again. */
export const restoreBackup = (path: string, kept: string): Command => ({
  text: sh`${nothingAt(kept)} && exit ${NOT_FOUND}
mkdir -p -- ${dirname(path)} && rm -rf -- ${temporaryPath(path)} && cp -a --reflink=auto -- ${kept} ${temporaryPath(path)} && { ${moveIntoPlace(path)}; }`
    .text,
  display: `put back ${path}`,
});

/** Takes away what is at a path, and keeps it unless the original is kept already. */
export const moveToBackup = (path: string, kept: string): Command => ({
  text: sh`${nothingAt(path)} && exit 0
${privateFolder(dirname(kept))} || exit
if ${nothingAt(kept)}; then
  rm -rf -- ${temporaryPath(kept)}
  mv -T -- ${path} ${temporaryPath(kept)} && mv -T -- ${temporaryPath(kept)} ${kept}
else rm -rf -- ${path}; fi`.text,
  display: `take away ${path}`,
});

/** Brings back what was taken away. Nothing is kept when that is done already, or when it was never taken. */
export const moveFromBackup = (path: string, kept: string): Command => ({
  text: sh`${nothingAt(kept)} && exit 0
mkdir -p -- ${dirname(path)} && rm -rf -- ${temporaryPath(path)} && cp -a --reflink=auto -- ${kept} ${temporaryPath(path)} || exit
rm -rf -- ${path} && mv -T -- ${temporaryPath(path)} ${path} && rm -rf -- ${kept}`.text,
  display: `bring back ${path}`,
});

/** Removes what is at a path, and those of its folders that were made for it, if nothing else is in them. */
export const removeWithParents = (path: string, folders: readonly string[]): Command => {
  const each = folders.map((folder) => sh`rmdir -- ${folder} 2>/dev/null || true`.text);
  return { text: [sh`rm -f -- ${path} || exit`.text, ...each].join('\n'), display: `remove ${path}` };
};

/** Prints those of the folders above a path that are not there, the deepest first. */
export const missingParents = (path: string): Command =>
  sh`p=${path}; while p=$(dirname -- "$p"); [ ! -e "$p" ]; do printf '%s\n' "$p"; done`;

const nothingAt = (path: string) => sh`{ [ ! -e ${path} ] && [ ! -L ${path} ]; }`;

const privateFolder = (path: string) => sh`(umask 077; mkdir -p -- ${path})`;

/** Makes the folder where things are kept. */
export const makeBackupDir = (path: string): Command => ({ ...privateFolder(path), display: `make ${path}` });

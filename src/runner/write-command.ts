import { basename, dirname, join } from 'node:path/posix';
import { sh, type Command } from './command.ts';
import type { FileContent } from './runner.ts';

/** Writes stdin to a file atomically, with a temporary file, sync and rename. */
export function writeCommand({ path, mode, owner }: Omit<FileContent, 'content'>): Command {
  const temporary = temporaryPath(path);
  // The name of the temporary file is fixed, so that the next attempt removes a leftover from a crash. With -C, the
  // shell does not write through an existing file or symlink. A file with the same content keeps its mtime, so that
  // services that read it are not restarted.
  const { text } = sh`umask 077; t=${temporary}; p=${path}
(umask 022; mkdir -p -- ${dirname(path)}) || exit 1
trap 'rm -f -- "$t"' EXIT; trap 'exit 129' HUP INT TERM
rm -f -- "$t"; set -C
cat > "$t" || exit
if [ -f "$p" ] && [ ! -L "$p" ] && [ "$(sha256sum < "$t")" = "$(sha256sum < "$p")" ]; then
  chown ${owner} "$p" && chmod ${mode.toString(8)} "$p"
else
  chown ${owner} "$t" && chmod ${mode.toString(8)} "$t" && { sync "$t" 2>/dev/null || sync; } && { ${moveIntoPlace(path)}; } && { sync ${dirname(path)} 2>/dev/null || true; }
fi`;
  return { text, display: `write ${path}` };
}

/**
 * Renames the temporary file to its path. A file that is a mount point, as in containers, cannot be replaced, so its
 * content, mode, owner and mtime are copied instead.
 */
export function moveIntoPlace(path: string): Command {
  const temporary = temporaryPath(path);
  return sh`if [ -f ${temporary} ] && [ ! -L ${temporary} ] && [ ! -L ${path} ] && ${isMount(path)}; then
  cat -- ${temporary} >| ${path} && chown --reference=${temporary} -- ${path} && chmod --reference=${temporary} -- ${path} && touch -r ${temporary} -- ${path} && rm -f -- ${temporary}
else mv -fT -- ${temporary} ${path}; fi`;
}

// Older versions of mountpoint(1) support only directories.
const isMount = (path: string) =>
  sh`(while read -r _ _ _ _ at _; do [ "$at" != ${path} ] || exit 0; done </proc/self/mountinfo; exit 1)`;

/** Returns the path of the temporary file, which is in the same directory. */
export const temporaryPath = (path: string): string => join(dirname(path), `.${basename(path)}.kubexm`);

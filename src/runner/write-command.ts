import { basename, dirname, join } from 'node:path/posix';
import { sh, type Command } from './command.ts';
import type { FileContent } from './runner.ts';

/** Beside, synced, renamed, with the content on stdin: who reads sees the old file or the new one, never half of it. */
export function writeCommand({ path, mode, owner }: Omit<FileContent, 'content'>): Command {
  const beside = temporaryPath(path);
  // The name beside is always the same, so what a crash left is used up by the next try; -C lets nobody put a link there.
  // What has the content already is not replaced: its time stays, so nothing that reads it is started again.
  const { text } = sh`umask 077; t=${beside}; p=${path}
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
 * What was made beside a path takes its place. A file that is a mount of its own, as in containers, cannot be replaced:
 * it gets the content, mode, owner and time instead.
 */
export function moveIntoPlace(path: string): Command {
  const beside = temporaryPath(path);
  return sh`if [ -f ${beside} ] && [ ! -L ${beside} ] && [ ! -L ${path} ] && ${isMount(path)}; then
  cat -- ${beside} >| ${path} && chown --reference=${beside} -- ${path} && chmod --reference=${beside} -- ${path} && touch -r ${beside} -- ${path} && rm -f -- ${beside}
else mv -fT -- ${beside} ${path}; fi`;
}

// Not with mountpoint: older ones know folders only.
const isMount = (path: string) =>
  sh`(while read -r _ _ _ _ at _; do [ "$at" != ${path} ] || exit 0; done </proc/self/mountinfo; exit 1)`;

/** Where a file is made before it takes its place. */
export const temporaryPath = (path: string): string => join(dirname(path), `.${basename(path)}.kubexm`);

import { SHA256_FUNCTION as FUNCTION_TEXT } from '../connector/checksum.ts';
import { uploadPart } from '../connector/upload.ts';
import { sh, type Command } from './command.ts';
import type { PathState } from './runner.ts';

/** Exit code of the commands below if the path does not exist. No program that they run uses this exit code. */
export const NOT_FOUND = 44;

export const statCommand = (path: string): Command =>
  sh`p=${path}; [ -e "$p" ] || [ -L "$p" ] || exit ${NOT_FOUND}
stat -c '%f %s %.3Y %U %G %u %g' -- "$p" || exit 1
[ ! -L "$p" ] || readlink -- "$p"`;

export const readCommand = (path: string): Command => sh`${requireFile(path)}; cat -- ${path} || exit 1`;

export const sha256Command = (path: string): Command => sh`${requireFile(path)}
${SHA256_FUNCTION}
s=$(sha256_of ${path}); [ -n "$s" ] || exit 1; echo "$s"`;

/** Returns the path of the partial file that an upload writes to. */
export const incompleteUpload = (path: string, sha256: string): string => uploadPart(path, sha256);

/** Prefix for scripts that call `sha256_of PATH`, which prints nothing if PATH is unreadable. */
export const SHA256_FUNCTION: Command = Object.freeze({ text: FUNCTION_TEXT, display: '' });

const requireFile = (path: string) => sh`{ [ -e ${path} ] && [ ! -d ${path} ]; } || exit ${NOT_FOUND}`;

/** Parses the output of `statCommand`. */
export function parseStat(text: string): PathState {
  const [first = '', ...rest] = text.split('\n');
  const [hex = '0', size, mtime, user = '', group = '', uid = '0', gid = '0'] = first.split(' ');
  const raw = Number.parseInt(hex, 16);
  const type = TYPES[raw & 0o170000] ?? 'other';
  return {
    type,
    mode: raw & 0o7777,
    owner: `${nameOr(user, uid)}:${nameOr(group, gid)}`,
    ids: `${uid}:${gid}`,
    size: Number(size),
    mtime: Math.round(Number(mtime?.replace(',', '.')) * 1000),
    ...(type === 'symlink' && { target: rest.join('\n').replace(/\n$/, '') }),
  };
}

const TYPES: Readonly<Record<number, PathState['type']>> = {
  0o100000: 'file',
  0o040000: 'directory',
  0o120000: 'symlink',
};

// Returns the ID if there is no name, for which stat prints UNKNOWN.
const nameOr = (name: string, id: string) => (name === 'UNKNOWN' ? id : name);

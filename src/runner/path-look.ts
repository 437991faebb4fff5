import { sh, type Command } from './command.ts';
import type { PathState } from './runner.ts';
import { SUM_OF } from './sum-of.ts';

/** How a look says that nothing is at the path: no program it runs exits with this. */
export const NOTHING_THERE = 44;

export const STAT = (path: string): Command =>
  sh`p=${path}; [ -e "$p" ] || [ -L "$p" ] || exit ${NOTHING_THERE}
stat -c '%f %s %.3Y %U %G %u %g' -- "$p" || exit 1
[ ! -L "$p" ] || readlink -- "$p"`;

export const READ = (path: string): Command => sh`${aFile(path)}; cat -- ${path} || exit 1`;

export const SHA256 = (path: string): Command => sh`${aFile(path)}
${SUM_OF}
s=$(sum_of ${path}); [ -n "$s" ] || exit 1; echo "$s"`;

const aFile = (path: string) => sh`{ [ -e ${path} ] && [ ! -d ${path} ]; } || exit ${NOTHING_THERE}`;

/** Reads what `STAT` printed. */
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

// An id that belongs to nobody has this name.
const nameOr = (name: string, id: string) => (name === 'UNKNOWN' ? id : name);

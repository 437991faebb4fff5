import { sh, type Command } from '../../runner/command.ts';
import { missingFolders } from '../../runner/keep.ts';
import { textsOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { hearing } from '../contract/output.ts';
import { keptAt, requireKept } from '../contract/keep.ts';
import type { GenericStep } from '../contract/step.ts';

/** An archive on the host, and where its content goes. */
export interface ExtractedOptions {
  /** A tar archive, compressed or not. */
  readonly archive: string;
  readonly into: string;
  /** Only these; all unless told. */
  readonly members?: readonly string[];
  /** How many leading folders of the names are left out. */
  readonly strip?: number;
}

/** The files of the archive are in the directory, with the content they have in the archive, and belong to root. */
export function extracted(options: ExtractedOptions): GenericStep {
  const { archive, into } = options;
  const part = `extracted ${archive} ${into}`;
  const tar = tarArguments(options);
  return Object.freeze<GenericStep>({
    summary: `unpack ${archive} into ${into}`,
    async precheck({ runner }) {
      const [there, differences] = await Promise.all([runner.stat(archive), runner.look(compare(tar, into))]);
      if (there === undefined) return findingOf([`${archive} does not exist yet`]);
      return findingOf(differences.stdout.split('\n').filter(Boolean).slice(0, 5));
    },
    async remember(ctx) {
      const missing = await ctx.runner.look(missingFolders(`${into}/x`));
      await ctx.runner.run(keepMembers(tar, into, keptAt(ctx, part)));
      return { missing: missing.stdout.split('\n').filter(Boolean) };
    },
    async run(ctx) {
      const unpack = sh`mkdir -p -- ${into} && tar -x --no-same-owner -C ${into} ${tar}`;
      await ctx.runner.run({ ...unpack, display: `tar -x ${archive}` }, hearing(ctx));
    },
    async rollback(ctx, before) {
      await requireKept(ctx, part, into);
      await ctx.runner.run(restoreMembers(into, keptAt(ctx, part), textsOf(before, 'missing')));
    },
  });
}

const tarArguments = ({ archive, members = [], strip = 0 }: ExtractedOptions): Command => {
  const { text } = sh`-f ${archive} --strip-components=${strip}`;
  return { text: [text, ...members.map((member) => sh`${member}`.text)].join(' '), display: archive };
};

// Who owned a file and when it was made where the archive was packed does not matter here.
const compare = (tar: Command, into: string): Command =>
  sh`[ -d ${into} ] || { echo ${`${into} does not exist`}; exit 0; }
LC_ALL=C tar --compare -C ${into} ${tar} 2>&1 | grep -vE ': (Uid|Gid|Mod time) differs$|^tar: Exiting' | sed 's/^tar: //'; true`;

/** Keeps the files that would be replaced, and the names of those that would be new. */
function keepMembers(tar: Command, into: string, kept: string): Command {
  const { text } = sh`(umask 077; mkdir -p -- ${kept}) && cd ${kept} && rm -f old.tar && : >old && : >new || exit
tar -t --show-transformed-names --quoting-style=literal ${tar} >all || exit
while IFS= read -r name; do
  [ -n "$name" ] || continue
  if [ -e ${into}/"$name" ] || [ -L ${into}/"$name" ]; then printf '%s\n' "$name" >>old; else printf '%s\n' "$name" >>new; fi
done <all
[ ! -s old ] || tar -c --no-recursion -C ${into} -f old.tar -T old`;
  return { text, display: `keep what is in ${into}` };
}

/** New names go, the deepest first; replaced files come back. */
function restoreMembers(into: string, kept: string, folders: readonly string[]): Command {
  const { text } = sh`cd ${kept} || exit
sort -r new | while IFS= read -r name; do
  if [ -d ${into}/"$name" ] && [ ! -L ${into}/"$name" ]; then rmdir -- ${into}/"$name" 2>/dev/null || true
  else rm -f -- ${into}/"$name" || exit; fi
done
[ ! -e old.tar ] || tar -x -p --same-owner -C ${into} -f old.tar || exit`;
  const remove = folders.map((folder) => sh`rmdir -- ${folder} 2>/dev/null || true`.text);
  return { text: [text, ...remove].join('\n'), display: `put back what was in ${into}` };
}

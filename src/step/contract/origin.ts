import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import type { Json } from '../../common/json.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { GenericStep, StepContext } from './step.ts';

/**
 * A part that also keeps the original state on the host until the cluster is deleted; what a run keeps only serves to
 * roll back that run. The first record wins, so that a second run does not take our own work for the original. When the
 * run that made the record is rolled back, the record goes with it.
 */
export function keepsOrigin(step: string, part: GenericStep, position: number): GenericStep {
  if (!part.rollback) return part;
  return Object.freeze<GenericStep>({
    ...part,
    async remember(ctx) {
      const before = (await part.remember?.(ctx)) ?? null;
      const origin = await originOf(ctx, step, part);
      const record = { keepDir: ctx.keepDir, key: part.key, position };
      await ctx.runner.run(keepOrigin(origin, record), { stdin: JSON.stringify(before) });
      await extendOrigin(ctx, part, origin, before);
      return before;
    },
    async rollback(ctx, before) {
      await part.rollback?.(ctx, before);
      await ctx.runner.run(forgetOwn(await originOf(ctx, step, part)), { stdin: JSON.stringify(before) });
    },
  });
}

/** Where the original state of a part is kept on a host. */
export interface Origin {
  /** Holds `before.json` with what `remember` returned, `key`, `position`, and copies. */
  readonly folder: string;
  readonly entry: string;
  /** Beside the folder, so that a folder that somebody removed is noticed. */
  readonly marker: string;
}

/** By key; by the texts that identified the part before keys existed where that record is on the host. */
export async function originOf(ctx: StepContext, step: string, part: GenericStep): Promise<Origin> {
  const current = originAt(ctx, step, part.key);
  const former = (part.formerly ?? []).map((text) => originAt(ctx, step, text));
  if (former.length === 0) return current;
  const found = await Promise.all(former.map(({ entry }) => ctx.runner.stat(entry)));
  return former.find((_, index) => found[index] !== undefined) ?? current;
}

/** The folder is named by a hash, because keys contain slashes. */
export function originAt({ originDir }: Pick<StepContext, 'originDir'>, step: string, identity: string): Origin {
  return originIn(join(originDir, step, identityHash(identity)));
}

export const originIn = (folder: string): Origin => ({
  folder,
  entry: join(folder, 'before.json'),
  marker: `${folder}.key`,
});

export const identityHash = (identity: string): string =>
  createHash('sha256').update(identity).digest('hex').slice(0, 16);

/** What was kept; undefined when the part never changed this host. */
export async function readOrigin(ctx: StepContext, { entry }: Origin): Promise<Json | undefined> {
  const text = await ctx.runner.read(entry);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The record is removed once the original state is back. */
export const removeOrigin = ({ folder, marker }: Origin): Command =>
  sh`rm -rf -- ${folder} && rm -f -- ${marker} && { rmdir -- ${join(folder, '..')} 2>/dev/null || true; }`;

interface OriginRecord {
  readonly keepDir: string;
  readonly key: string;
  readonly position: number;
}

/** Renamed into place when it is complete: a crash leaves nothing that could be taken for a record. */
const keepOrigin = ({ folder, entry, marker }: Origin, { keepDir, key, position }: OriginRecord): Command => ({
  text: sh`if [ -e ${entry} ]; then cat >/dev/null; exit 0; fi
umask 077; rm -rf -- ${folder} ${folder}.new && mkdir -p -- ${folder}.new || exit
if [ -d ${keepDir} ]; then cp -a --reflink=auto -- ${keepDir}/. ${folder}.new/ || exit; fi
printf '%s\n' ${key} >${folder}.new/key && printf '%s\n' ${position} >${folder}.new/position || exit
cat > ${folder}.new/before.json && find ${folder}.new -type f -exec sync -- {} + && mv -T -- ${folder}.new ${folder} || exit
printf '%s\n' ${key} >${marker} && sync -- ${marker}`.text,
  display: `keep the original state in ${folder}`,
});

/** Adds to a record what a later run changes for the first time; the record itself is written last. */
async function extendOrigin(ctx: StepContext, part: GenericStep, origin: Origin, before: Json): Promise<void> {
  if (!part.extend) return;
  const known = await readOrigin(ctx, origin);
  const extended = known === undefined ? undefined : part.extend(known, before);
  if (!extended) return;
  const { folder, entry } = origin;
  const copies = extended.copies.map(
    (name) =>
      sh`[ ! -e ${ctx.keepDir}/${name} ] && [ ! -L ${ctx.keepDir}/${name} ] || cp -a --reflink=auto -- ${ctx.keepDir}/${name} ${folder}/${name} || exit`
        .text,
  );
  const { text } = sh`umask 077; cat >${entry}.new && sync -- ${entry}.new && mv -T -- ${entry}.new ${entry}`;
  const act = { text: [...copies, text].join('\n'), display: `keep more of the original state in ${folder}` };
  await ctx.runner.run(act, { stdin: JSON.stringify(extended.before) });
}

/** Prints the directories that a step of this name owns on the host. */
export const ownedDirectories = (originDir: string, step: string): Command => {
  const folder = join(originDir, step);
  // Records made before keys existed name the directory in a file of its own.
  return sh`{ cat ${folder}/*/key 2>/dev/null | sed -n 's/^owned-directory://p'; cat ${folder}/*/place 2>/dev/null || true; }`;
};

const forgetOwn = ({ folder, entry, marker }: Origin): Command => ({
  text: sh`was=$(cat); [ ! -e ${entry} ] || [ "$(cat ${entry})" != "$was" ] || { rm -rf -- ${folder} && rm -f -- ${marker}; }`
    .text,
  display: `forget ${folder}`,
});

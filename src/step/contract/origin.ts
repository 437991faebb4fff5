import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import type { Json } from '../../common/json.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { ExtendedOrigin, GenericStep, StepContext } from './part.ts';
import { runTogether } from './run-together.ts';

/**
 * Also records the original state on the host until the cluster is deleted; the backup of a run can only roll back that
 * run. The first record wins, so that a second run does not mistake our own changes for the original state. Rolling
 * back the run that made the record removes it.
 */
export function withOriginRecord(step: string, part: GenericStep, position: number): GenericStep {
  if (!part.rollback) return part;
  return Object.freeze<GenericStep>({
    ...part,
    async remember(ctx) {
      // In one tick, so that all share a round trip.
      const [state, origin, known] = await Promise.all([
        part.remember?.(ctx),
        originOf(ctx, step, part),
        part.extend ? knownOrigin(ctx, step, part) : undefined,
      ]);
      const before = state ?? null;
      const record = { keepDir: ctx.keepDir, key: part.key, position };
      await runTogether(ctx, keepOrigin(origin, record, JSON.stringify(before)));
      if (known !== undefined) await extendOrigin(ctx, origin, part.extend?.(known, before));
      return before;
    },
    async rollback(ctx, before) {
      await part.rollback?.(ctx, before);
      await ctx.runner.run(removeOwn(await originOf(ctx, step, part)), { stdin: JSON.stringify(before) });
    },
  });
}

/** The record of a part's original state on a host. */
export interface Origin {
  /** Contains `before.json` (the result of `remember`), `key`, `position` and backups. */
  readonly folder: string;
  readonly entry: string;
  /** Next to the folder, so that a deleted folder is noticed. */
  readonly marker: string;
}

/** Finds the record by key, or by the texts that identified the part before keys existed if the host has such a record. */
export async function originOf(
  ctx: StepContext,
  step: string,
  part: Pick<GenericStep, 'key' | 'formerly'>,
): Promise<Origin> {
  const current = originAt(ctx, step, part.key);
  const former = (part.formerly ?? []).map((text) => originAt(ctx, step, text));
  if (former.length === 0) return current;
  const found = await Promise.all(former.map(({ entry }) => ctx.runner.stat(entry)));
  return former.find((_, index) => found[index] !== undefined) ?? current;
}

/** The recorded state of a part from an earlier run; one round trip. */
async function knownOrigin(ctx: StepContext, step: string, part: GenericStep): Promise<Json | undefined> {
  // Records from before keys existed come first, as in `originOf`.
  const origins = [...(part.formerly ?? []), part.key].map((identity) => originAt(ctx, step, identity));
  const found = await Promise.all(origins.map((origin) => readOrigin(ctx, origin)));
  return found.find((each) => each !== undefined);
}

/** Whether the host has a record of the part; one round trip. */
export async function hasOrigin(ctx: StepContext, step: string, part: GenericStep): Promise<boolean> {
  const entries = [part.key, ...(part.formerly ?? [])].map((identity) => originAt(ctx, step, identity).entry);
  return (await Promise.all(entries.map((entry) => ctx.runner.stat(entry)))).some((found) => found !== undefined);
}

/** The folder name is a hash, because keys contain slashes. */
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

/** The recorded state; undefined if the part never changed this host. */
export async function readOrigin(ctx: StepContext, { entry }: Origin): Promise<Json | undefined> {
  const text = await ctx.runner.read(entry);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Removes a record after the original state was restored. The marker is deleted first and the backups last: after a
 * crash, the record is either complete and restored again, or it is ignored.
 */
export const removeOrigin = ({ folder, entry, marker }: Origin): Command =>
  sh`rm -f -- ${marker} ${entry} && rm -rf -- ${folder} && { rmdir -- ${join(folder, '..')} 2>/dev/null || true; }`;

interface OriginRecord {
  readonly keepDir: string;
  readonly key: string;
  readonly position: number;
}

/** Renames the complete record into place, so that a crash leaves no partial record, at most one without its marker. */
const keepOrigin = (
  { folder, entry, marker }: Origin,
  { keepDir, key, position }: OriginRecord,
  before: string,
): Command => ({
  text: sh`if [ -e ${entry} ]; then [ -e ${marker} ] || [ ! -e ${folder}/key ] || cp -- ${folder}/key ${marker}; exit; fi
umask 077; rm -rf -- ${folder} ${folder}.new && mkdir -p -- ${folder}.new || exit
if [ -d ${keepDir} ]; then cp -a --reflink=auto -- ${keepDir}/. ${folder}.new/ || exit; fi
printf '%s\n' ${key} >${folder}.new/key && printf '%s\n' ${position} >${folder}.new/position || exit
printf %s ${before} >${folder}.new/before.json && find ${folder}.new -type f -exec sync -- {} + && mv -T -- ${folder}.new ${folder} || exit
printf '%s\n' ${key} >${marker} && sync -- ${marker}`.text,
  display: `record the original state in ${folder}`,
});

/** Adds to a record the state of targets that a later run changes for the first time; the record itself is written last. */
async function extendOrigin(ctx: StepContext, origin: Origin, extended: ExtendedOrigin | undefined): Promise<void> {
  if (!extended) return;
  const { folder, entry } = origin;
  const copies = extended.copies.map(
    (name) =>
      sh`[ ! -e ${ctx.keepDir}/${name} ] && [ ! -L ${ctx.keepDir}/${name} ] || cp -a --reflink=auto -- ${ctx.keepDir}/${name} ${folder}/${name} || exit`
        .text,
  );
  const { text } = sh`umask 077; cat >${entry}.new && sync -- ${entry}.new && mv -T -- ${entry}.new ${entry}`;
  const act = { text: [...copies, text].join('\n'), display: `extend the original state in ${folder}` };
  await ctx.runner.run(act, { stdin: JSON.stringify(extended.before) });
}

/** Prints the directories on the host that the step with this name owns. */
export const ownedDirectories = (originDir: string, step: string): Command => {
  const folder = join(originDir, step);
  // Records from before keys existed have the directory in a separate file.
  return sh`{ cat ${folder}/*/key 2>/dev/null | sed -n 's/^owned-directory://p'; cat ${folder}/*/place 2>/dev/null || true; }`;
};

/** Removes the record if this run made it. */
const removeOwn = ({ folder, entry, marker }: Origin): Command => ({
  text: sh`was=$(cat); [ ! -e ${entry} ] || [ "$(cat ${entry})" != "$was" ] || { rm -f -- ${marker} ${entry} && rm -rf -- ${folder}; }`
    .text,
  display: `remove ${folder}`,
});

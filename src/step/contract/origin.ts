import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import type { Json } from '../../common/json.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { GenericStep, StepContext } from './step.ts';

/**
 * A part that also keeps on the host what was there before the cluster came, until the cluster goes: what a run keeps is
 * only good for undoing that run. The first one to keep it wins, so that a second run does not take our own work for it.
 * When the run that kept it is undone there is nothing left to go back to, and it is forgotten.
 */
export function keepsOrigin(step: string, part: GenericStep): GenericStep {
  if (!part.rollback) return part;
  return Object.freeze<GenericStep>({
    ...part,
    async remember(ctx) {
      const before = (await part.remember?.(ctx)) ?? null;
      const place = originOf(ctx, step, part);
      await ctx.runner.run(keepOrigin(place, ctx.keepDir, part.place), { stdin: JSON.stringify(before) });
      await widenOrigin(ctx, part, place, before);
      return before;
    },
    async rollback(ctx, before) {
      await part.rollback?.(ctx, before);
      await ctx.runner.run(forgetOwn(originOf(ctx, step, part)), { stdin: JSON.stringify(before) });
    },
  });
}

/** Where the origin of a part is kept. */
export interface OriginPlace {
  readonly folder: string;
  /** A file with what `remember` said; copies stand beside it. */
  readonly entry: string;
}

export function originOf({ originDir }: StepContext, step: string, part: GenericStep): OriginPlace {
  const name = createHash('sha256')
    .update(part.state ?? part.summary)
    .digest('hex')
    .slice(0, 16);
  const folder = join(originDir, step, name);
  return { folder, entry: join(folder, 'before.json') };
}

/** What was kept; undefined when the part never changed this host. */
export async function readOrigin(ctx: StepContext, { entry }: OriginPlace): Promise<Json | undefined> {
  const text = await ctx.runner.read(entry);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Takes its place when it is complete: a crash in between leaves nothing that could be taken for it. */
const keepOrigin = ({ folder, entry }: OriginPlace, keepDir: string, at: string | undefined) => ({
  text: sh`if [ -e ${entry} ]; then cat >/dev/null; exit 0; fi
umask 077; rm -rf -- ${folder} ${folder}.new && mkdir -p -- ${folder}.new || exit
if [ -d ${keepDir} ]; then cp -a --reflink=auto -- ${keepDir}/. ${folder}.new/ || exit; fi
[ -z ${at ?? ''} ] || printf '%s\n' ${at ?? ''} >${folder}.new/place || exit
cat > ${folder}.new/before.json && find ${folder}.new -type f -exec sync -- {} + && mv -T -- ${folder}.new ${folder}`
    .text,
  display: `keep what was there before in ${folder}`,
});

/** What the first run did not change yet joins what it kept; the record comes last. */
async function widenOrigin(ctx: StepContext, part: GenericStep, place: OriginPlace, before: Json): Promise<void> {
  if (!part.widen) return;
  const origin = await readOrigin(ctx, place);
  const wider = origin === undefined ? undefined : part.widen(origin, before);
  if (!wider) return;
  const { folder, entry } = place;
  const copies = wider.copies.map(
    (name) =>
      sh`[ ! -e ${ctx.keepDir}/${name} ] && [ ! -L ${ctx.keepDir}/${name} ] || cp -a --reflink=auto -- ${ctx.keepDir}/${name} ${folder}/${name} || exit`
        .text,
  );
  const { text } = sh`umask 077; cat >${entry}.new && sync -- ${entry}.new && mv -T -- ${entry}.new ${entry}`;
  const act = { text: [...copies, text].join('\n'), display: `keep more of what was there before in ${folder}` };
  await ctx.runner.run(act, { stdin: JSON.stringify(wider.before) });
}

/** Folders that the parts of a step were about, whenever they came, and that are not as they were yet. */
export async function placesOf({ runner, originDir }: StepContext, step: string): Promise<readonly string[]> {
  const { stdout } = await runner.look(placesText(originDir, step));
  return [...new Set(stdout.split('\n').filter(Boolean))];
}

/** Prints them. */
export const placesText = (originDir: string, step: string): Command =>
  sh`{ cat ${join(originDir, step)}/*/place 2>/dev/null || true; }`;

const forgetOwn = ({ folder, entry }: OriginPlace) => ({
  text: sh`was=$(cat); [ ! -e ${entry} ] || [ "$(cat ${entry})" != "$was" ] || rm -rf -- ${folder}`.text,
  display: `forget ${folder}`,
});

import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import type { Json } from '../common/json.ts';
import { sh } from '../runner/command.ts';
import type { GenericStep, StepContext } from './step.ts';

/**
 * A part that also keeps on the host what was there before the cluster came, until the cluster goes: what a run keeps is
 * only good for undoing that run. The first one to keep it wins, so that a second run does not take our own work for it.
 */
export function keepsOrigin(step: string, part: GenericStep): GenericStep {
  if (!part.rollback) return part;
  return Object.freeze<GenericStep>({
    ...part,
    async remember(ctx) {
      const before = (await part.remember?.(ctx)) ?? null;
      const place = originOf(ctx, step, part);
      await ctx.runner.run(keepOrigin(place, ctx.keepDir), { stdin: JSON.stringify(before) });
      return before;
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
  const folder = join(originDir, step);
  const name = createHash('sha256')
    .update(part.state ?? part.summary)
    .digest('hex')
    .slice(0, 16);
  return { folder, entry: join(folder, `${name}.json`) };
}

/** What was kept; undefined when the part never changed this host. */
export async function readOrigin(ctx: StepContext, { entry }: OriginPlace): Promise<Json | undefined> {
  const text = await ctx.runner.read(entry);
  return text === undefined ? undefined : JSON.parse(text);
}

const keepOrigin = ({ folder, entry }: OriginPlace, keepDir: string) => ({
  text: sh`umask 077; mkdir -p -- ${folder} || exit
if [ -e ${entry} ]; then cat >/dev/null; exit 0; fi
for kept in ${keepDir}/*; do
  name=\${kept##*/}; own=${folder}/$name
  [ -e "$kept" ] || [ -L "$kept" ] || continue
  [ ! -e "$own" ] && [ ! -L "$own" ] || continue
  rm -rf -- "$own.new" && cp -a --reflink=auto -- "$kept" "$own.new" && mv -T -- "$own.new" "$own" || exit
done
cat > ${entry}.new && sync -- ${entry}.new && mv -f -- ${entry}.new ${entry}`.text,
  display: `keep what was there before in ${folder}`,
});

import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import { sh, type Command } from '../../runner/command.ts';
import { missingParents, removeWithParents, restoreBackup } from '../../runner/backup.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** How a host heals itself from a change that cuts it off. */
export interface Guard {
  /** "firewall" */
  readonly name: string;
  /** Files that are put back as they were. */
  readonly paths: readonly string[];
  /** Makes what runs on the host live with the files as they were. */
  readonly apply: Command;
  /** A minute unless told. */
  readonly seconds?: number;
}

/**
 * A dead man's switch around a part: before it changes anything a timer on the host is set that puts back what was
 * there, and only when the host can be reached by a new connection afterwards the timer is taken away. A kubexm that
 * died in between, or cannot come in any more, is not needed for it.
 */
export function guarded(part: GenericStep, guard: Guard): GenericStep {
  return Object.freeze<GenericStep>({
    ...part,
    async precheck(ctx) {
      const [finding, armed] = await Promise.all([part.precheck(ctx), ctx.runner.stat(folderOf(ctx, guard))]);
      if (!finding.done || armed === undefined) return finding;
      return { done: false, because: 'nobody confirmed yet that the host can still be reached' };
    },
    async run(ctx) {
      await ctx.runner.run(arm(ctx, guard), { stdin: scriptOf(ctx, guard) });
      await part.run(ctx);
      await confirm(ctx, part, guard);
      await ctx.runner.run(disarm(ctx, guard));
    },
    ...(part.rollback && {
      async rollback(ctx: StepContext, before: Json) {
        await part.rollback?.(ctx, before);
        await ctx.runner.run(disarm(ctx, guard));
      },
    }),
  });
}

async function confirm({ runner, host, signal }: StepContext, { summary }: GenericStep, guard: Guard): Promise<void> {
  const time = AbortSignal.timeout((secondsOf(guard) * 1000) / 2);
  try {
    await runner.checkNewConnection(AbortSignal.any([signal, time]));
  } catch (error) {
    const reason = time.aborted ? 'it did not answer in time' : error instanceof Error ? error.message : String(error);
    throw fail('HOST_CUT_OFF', { host: host.name, part: summary, seconds: secondsOf(guard), reason }, error);
  }
}

const secondsOf = ({ seconds = 60 }: Guard) => seconds;

/** Beside the origins: root's alone, and gone with the cluster. */
const folderOf = ({ originDir }: StepContext, { name }: Pick<Guard, 'name'>) => join(originDir, `guard-${name}`);

const unitOf = (folder: string) => `kubexm-guard-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;

/** Takes the timer away once the part is undone. */
export const disarmGuard = async (ctx: StepContext, guard: Pick<Guard, 'name'>): Promise<void> =>
  void (await ctx.runner.run(disarm(ctx, guard)));

/** Keeps the files, and sets the timer. A guard that is there keeps what it has: that was before the first change. */
function arm(ctx: StepContext, guard: Guard): Command {
  const folder = folderOf(ctx, guard);
  const unit = unitOf(folder);
  const copies = guard.paths.map((path, place) => {
    const kept = `${folder}.new/${place}`;
    return sh`[ ! -e ${path} ] && [ ! -L ${path} ] || cp -a -- ${path} ${kept} || exit
{ ${missingParents(path)}; } >>${folder}.new/folders`.text;
  });
  const { text } = sh`umask 077
if [ ! -e ${folder} ]; then
  rm -rf -- ${folder}.new; mkdir -p -- ${folder}.new && cat > ${folder}.new/restore || exit
${{ text: copies.join('\n'), display: '' }}
  sync; mv -T -- ${folder}.new ${folder} || exit
fi
${stopTimer(folder)}
if [ -d /run/systemd/system ] && command -v systemd-run >/dev/null; then
  systemd-run --quiet --unit ${unit} --on-active=${secondsOf(guard)} --timer-property=AccuracySec=1s /bin/sh ${folder}/restore
else
  setsid /bin/sh -c 'echo $$ >"$1/pid"; sleep "$2"; exec /bin/sh "$1/restore"' guard ${folder} ${secondsOf(guard)} </dev/null >/dev/null 2>&1 &
fi`;
  return { text, display: `set the timer ${unit} that puts back ${guard.paths.join(', ')}` };
}

/** What the timer runs. Who takes the folder away first wins: the timer, or kubexm that comes back. */
function scriptOf(ctx: StepContext, guard: Guard): string {
  const folder = folderOf(ctx, guard);
  const fired = `${folder}.fired`;
  const restores = guard.paths.map((path, place) => {
    const kept = `${fired}/${place}`;
    return sh`if [ -e ${kept} ] || [ -L ${kept} ]; then (${restoreBackup(path, kept)}); else ${removeWithParents(path, [])}; fi`
      .text;
  });
  return `rm -rf -- ${fired}; mv -T -- ${folder} ${fired} || exit 0
${restores.join('\n')}
${sh`sort -ru ${fired}/folders | while read -r made; do rmdir -- "$made" 2>/dev/null; done`.text}
${guard.apply.text}
rm -rf -- ${fired}
`;
}

function disarm(ctx: StepContext, guard: Pick<Guard, 'name'>): Command {
  const folder = folderOf(ctx, guard);
  const { text } = sh`[ ! -e ${folder} ] || mv -T -- ${folder} ${folder}.off || true
${stopTimer(`${folder}.off`, folder)}
rm -rf -- ${folder}.off`;
  return { text, display: `take away the timer ${unitOf(folder)}` };
}

const stopTimer = (at: string, folder = at) => sh`if [ -d /run/systemd/system ]; then
  systemctl stop ${unitOf(folder)}.timer 2>/dev/null; systemctl reset-failed ${unitOf(folder)}.timer ${unitOf(folder)}.service 2>/dev/null
fi
[ ! -s ${at}/pid ] || kill "$(cat ${at}/pid)" 2>/dev/null; true`;

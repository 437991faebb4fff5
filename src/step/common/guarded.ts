import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import { sh, type Command } from '../../runner/command.ts';
import { missingParents, removeWithParents, restoreBackup } from '../../runner/backup.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** How a host recovers by itself from a change that makes it unreachable. */
export interface Guard {
  /** "firewall" */
  readonly name: string;
  /** Files to restore. */
  readonly paths: readonly string[];
  /** Makes the services of the host use the restored files. */
  readonly apply: Command;
  /** 60 by default. */
  readonly seconds?: number;
}

/**
 * A dead man's switch around a part. Before the part runs, a timer is set on the host that restores the previous state
 * when it fires. The timer is removed only after a new connection to the host succeeded. Restoring works without kubexm,
 * which may have crashed or may no longer be able to connect.
 */
export function guarded(part: GenericStep, guard: Guard): GenericStep {
  return Object.freeze<GenericStep>({
    ...part,
    async precheck(ctx) {
      const [finding, armed] = await Promise.all([part.precheck(ctx), ctx.runner.stat(folderOf(ctx, guard))]);
      if (!finding.done || armed === undefined) return finding;
      return { done: false, because: 'not confirmed yet that the host is still reachable' };
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
  const seconds = secondsOf(guard);
  const timeout = AbortSignal.timeout((seconds * 1000) / 2);
  try {
    await runner.checkNewConnection(AbortSignal.any([signal, timeout]));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = timeout.aborted ? `no response within ${seconds / 2} s` : message;
    throw fail('HOST_CUT_OFF', { host: host.name, part: summary, seconds, reason }, error);
  }
}

const secondsOf = ({ seconds = 60 }: Guard) => seconds;

/** Below the origin directory, which only root can read and which is removed with the cluster. */
const folderOf = ({ originDir }: StepContext, { name }: Pick<Guard, 'name'>) => join(originDir, `guard-${name}`);

const unitOf = (folder: string) => `kubexm-guard-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;

/** Removes the timer after the part was undone. */
export const disarmGuard = async (ctx: StepContext, guard: Pick<Guard, 'name'>): Promise<void> =>
  void (await ctx.runner.run(disarm(ctx, guard)));

/** Backs up the files and sets the timer. An existing backup is kept, because it was made before the first change. */
function arm(ctx: StepContext, guard: Guard): Command {
  const folder = folderOf(ctx, guard);
  const unit = unitOf(folder);
  const copies = guard.paths.map((path, index) => {
    const kept = `${folder}.new/${index}`;
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
  return { text, display: `set the timer ${unit} that restores ${guard.paths.join(', ')}` };
}

/** The script the timer runs. Renaming the folder decides a race between the timer and kubexm. */
function scriptOf(ctx: StepContext, guard: Guard): string {
  const folder = folderOf(ctx, guard);
  const fired = `${folder}.fired`;
  const restores = guard.paths.map((path, index) => {
    const kept = `${fired}/${index}`;
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
  return { text, display: `remove the timer ${unitOf(folder)}` };
}

const stopTimer = (at: string, folder = at) => sh`if [ -d /run/systemd/system ]; then
  systemctl stop ${unitOf(folder)}.timer 2>/dev/null; systemctl reset-failed ${unitOf(folder)}.timer ${unitOf(folder)}.service 2>/dev/null
fi
[ ! -s ${at}/pid ] || kill "$(cat ${at}/pid)" 2>/dev/null; true`;

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';

type Script = Cluster['system']['preInstall'][number];

/** Runs the user's scripts before all other steps. */
export const preInstall = ({ system }: Cluster) =>
  defineStep({
    name: 'os.pre-install',
    summary: 'Run system.preInstall scripts',
    timeoutMs: AN_HOUR,
    parts: ({ host }) => partsFor(system.preInstall, host.roles),
  });

/** Runs the user's scripts after all other steps. */
export const postInstall = ({ system }: Cluster) =>
  defineStep({
    name: 'os.post-install',
    summary: 'Run system.postInstall scripts',
    timeoutMs: AN_HOUR,
    parts: ({ host }) => partsFor(system.postInstall, host.roles),
  });

const AN_HOUR = 3_600_000;

const partsFor = (scripts: readonly Script[], roles: readonly string[]) =>
  scripts
    .filter((script) => script.roles.length === 0 || script.roles.some((role) => roles.includes(role)))
    .map(scriptPart);

/**
 * Runs the script unless it has already succeeded with this content. Only an empty file named after its checksum stays on
 * the host, because the script may contain secrets. There is no undo, because its effects are unknown.
 */
const scriptPart = ({ name, bash }: Script): GenericStep => {
  const checksum = createHash('sha256').update(bash).digest('hex');
  const pathOn = ({ originDir }: StepContext) => join(dirname(originDir), 'scripts', checksum);
  return Object.freeze<GenericStep>({
    key: `script:${name}`,
    summary: `run script ${name}`,
    async precheck(ctx) {
      const found = await ctx.runner.stat(pathOn(ctx));
      if (!found) return { done: false, because: 'not run yet' };
      return found.size === 0
        ? DONE
        : { done: false, because: 'the script of an earlier version is still on the host' };
    },
    async run(ctx) {
      const command = { text: scriptText(pathOn(ctx)), display: `script ${name}` };
      await ctx.runner.run(command, { ...streamOutput(ctx), stdin: bash });
    },
  });
};

/** Earlier versions kept the script itself: it has succeeded and is not run again. */
export const scriptText = (path: string): string =>
  sh`p=${path}
if [ -s "$p" ]; then cat >/dev/null; : >"$p"; exit; fi
trap 'rm -f -- "$p.new"' EXIT
trap 'exit 143' HUP INT TERM
(umask 077; mkdir -p -- ${dirname(path)} && cat >"$p.new") || exit
bash -- "$p.new" </dev/null && (umask 077; : >"$p")`.text;

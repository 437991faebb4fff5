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
 * Runs the script unless it has already succeeded with this content. There is no undo, because its effects are unknown.
 */
const scriptPart = ({ name, bash }: Script): GenericStep => {
  const checksum = createHash('sha256').update(bash).digest('hex');
  const pathOn = ({ originDir }: StepContext) => join(dirname(originDir), 'scripts', checksum);
  return Object.freeze<GenericStep>({
    key: `script:${name}`,
    summary: `run script ${name}`,
    precheck: async (ctx) => ((await ctx.runner.stat(pathOn(ctx))) ? DONE : { done: false, because: 'not run yet' }),
    async run(ctx) {
      const path = pathOn(ctx);
      const { text } = sh`(umask 077; mkdir -p -- ${dirname(path)} && cat > ${path}.new) || exit
bash -- ${path}.new </dev/null && mv -T -- ${path}.new ${path}`;
      await ctx.runner.run({ text, display: `script ${name}` }, { ...streamOutput(ctx), stdin: bash });
    },
  });
};

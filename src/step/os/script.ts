import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';

type Script = Cluster['system']['preInstall'][number];

/** The scripts of the cluster file that run before anything else is done. */
export const preInstall = ({ system }: Cluster) =>
  defineStep({
    name: 'os.pre-install',
    summary: 'Run the scripts of system.preInstall',
    timeoutMs: AN_HOUR,
    parts: ({ host }) => partsFor(system.preInstall, host.roles),
  });

/** The scripts of the cluster file that run when all is done. */
export const postInstall = ({ system }: Cluster) =>
  defineStep({
    name: 'os.post-install',
    summary: 'Run the scripts of system.postInstall',
    timeoutMs: AN_HOUR,
    parts: ({ host }) => partsFor(system.postInstall, host.roles),
  });

const AN_HOUR = 3_600_000;

const partsFor = (scripts: readonly Script[], roles: readonly string[]) =>
  scripts.filter((script) => script.roles.length === 0 || script.roles.some((role) => roles.includes(role))).map(once);

/** The script ran to its end, once for each content. What a script did nobody else can undo. */
const once = ({ name, bash }: Script): GenericStep => {
  const sum = createHash('sha256').update(bash).digest('hex');
  const place = ({ originDir }: StepContext) => join(dirname(originDir), 'scripts', sum);
  return Object.freeze<GenericStep>({
    key: `script:${name}`,
    summary: `run the script ${name}`,
    precheck: async (ctx) =>
      (await ctx.runner.stat(place(ctx))) ? DONE : { done: false, because: 'it did not run here yet' },
    async run(ctx) {
      const at = place(ctx);
      const { text } = sh`(umask 077; mkdir -p -- ${dirname(at)} && cat > ${at}.new) || exit
bash -- ${at}.new </dev/null && mv -T -- ${at}.new ${at}`;
      await ctx.runner.run({ text, display: `the script ${name}` }, { ...streamOutput(ctx), stdin: bash });
    },
  });
};

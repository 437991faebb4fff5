import { dirname, join } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { DONE } from '../difference.ts';
import { defineStep, type GenericStep, type Step, type StepContext } from '../step.ts';

/** It is noted whether docker was on the host before: then its containers and networks are not ours to remove. */
export const noteDockerOwner: Step = defineStep({
  name: 'docker.note',
  summary: 'Note whether docker was here before',
  reversible: true,
  parts: () => [noted],
});

/** Where it is noted, until the cluster goes. */
export const dockerOwner = ({ originDir }: Pick<StepContext, 'originDir'>): string =>
  join(dirname(originDir), 'owned', 'docker');

const noted: GenericStep = Object.freeze<GenericStep>({
  summary: 'note whether docker was here before',
  async precheck(ctx) {
    return (await ctx.runner.stat(dockerOwner(ctx))) ? DONE : { done: false, because: 'it is not noted yet' };
  },
  async remember() {
    return null;
  },
  async run(ctx) {
    const note = dockerOwner(ctx);
    await ctx.runner.run(sh`umask 077; mkdir -p -- ${dirname(note)} || exit
if [ -n "$(PATH=/usr/local/bin:$PATH command -v dockerd)" ] || [ -d /sys/class/net/docker0 ]; then echo others; else echo kubexm; fi >${note}`);
  },
  async rollback(ctx) {
    const note = dockerOwner(ctx);
    await ctx.runner.run(sh`rm -f -- ${note} && { rmdir -- ${dirname(note)} 2>/dev/null || true; }`);
  },
});

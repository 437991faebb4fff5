import { dirname } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { defineStep, type GenericStep } from '../contract/step.ts';

/** Nothing of this cluster is kept on the host any more; it comes last, when everything was put back. */
export const forgetOrigins = defineStep({
  name: 'os.forget',
  summary: 'Remove what kubexm kept on the host',
  parts: () => [nothingKept],
});

const nothingKept: GenericStep = Object.freeze<GenericStep>({
  summary: 'remove what was kept of the time before',
  async precheck({ runner, originDir }) {
    return (await runner.stat(originDir)) ? { done: false, because: `${originDir} is there` } : DONE;
  },
  async run(ctx) {
    const { runner, originDir } = ctx;
    const { stdout } = await runner.run(sh`find ${originDir} -name before.json -printf '%h\n'`);
    for (const left of stdout.split('\n').filter(Boolean)) ctx.say(`nothing undid ${left}; it is forgotten`);
    await runner.run(sh`rm -rf -- ${originDir} ${dirname(originDir)}/keep ${dirname(originDir)}/scripts`);
  },
});

import { join } from 'node:path/posix';
import { sh, type Command } from '../../../runner/command.ts';
import type { StepContext } from '../../contract/step.ts';

/**
 * Succeeds while a runtime that kubexm installed is still on the host: it needs the shared tools to be stopped, and
 * would create their directories again.
 */
export function usedByRuntime({ originDir }: StepContext): Command {
  const [a, b, c, d] = ['containerd', 'docker', 'cri-o', 'isulad'].map((name) => join(originDir, `${name}.run`));
  return sh`[ -n "$(find ${a!} ${b!} ${c!} ${d!} -name before.json 2>/dev/null | head -n 1)" ]`;
}

import { join } from 'node:path/posix';
import { CONTAINER_RUNTIME_NAMES } from '../../../config/model/container-runtimes.ts';
import { sh, type Command } from '../../../runner/command.ts';
import type { StepContext } from '../../contract/part.ts';

/**
 * Succeeds while a runtime that kubexm installed is still on the host. The shared tools are needed to stop it, and it
 * would create their directories again.
 */
export function usedByRuntime({ originDir }: StepContext): Command {
  const records = CONTAINER_RUNTIME_NAMES.map((name) => sh`${join(originDir, `${name}.run`)}`.text).join(' ');
  return sh`[ -n "$(find ${{ text: records, display: records }} -name before.json 2>/dev/null | head -n 1)" ]`;
}

import { CONTAINER_SHIMS } from '../../../config/model/container-runtimes.ts';
import { fail } from '../../../common/errors/errors.ts';
import { sh } from '../../../runner/command.ts';
import { textOf } from '../../../util/json-fields.ts';
import { DONE } from '../../contract/finding.ts';
import type { GenericStep, StepContext } from '../../contract/part.ts';

/** Where a runtime keeps its data, and where it did. */
export interface DataDirOptions {
  readonly runtime: string;
  /** Its settings. */
  readonly config: string;
  /** What they say of it; undefined when they are not ours or say nothing. */
  readonly rootOf: (config: string) => string | undefined;
  readonly wanted: string;
}

/** Containers stay where they are: a runtime that has some is not given another folder, where it would know none of them. */
export function unchangedDataDir({ runtime, config, rootOf, wanted }: DataDirOptions): GenericStep {
  const left = async ({ runner }: StepContext) => {
    const [text, busy] = await Promise.all([runner.read(config), runner.test(HAS_CONTAINERS)]);
    const root = text === undefined ? undefined : rootOf(text);
    return busy && root !== undefined && root !== wanted ? root : undefined;
  };
  return Object.freeze<GenericStep>({
    key: 'check:data-dir',
    summary: `keep containers in ${wanted}`,
    async precheck(ctx) {
      const root = await left(ctx);
      return root === undefined ? DONE : { done: false, because: `there are containers in ${root}` };
    },
    async run(ctx) {
      const root = await left(ctx);
      if (root !== undefined) throw fail('DATA_DIR_IN_USE', { host: ctx.host.name, runtime, root, wanted });
    },
  });
}

/** A runtime that does not answer may have left containers that run. */
const HAS_CONTAINERS = sh`PATH=/usr/local/bin:$PATH
[ -n "$(timeout 20 crictl pods -q 2>/dev/null)" ] || grep -qzsE ${`(^|/)(${CONTAINER_SHIMS})$`} /proc/[0-9]*/cmdline`;

/** What stands under a key in settings that are JSON; undefined where nothing does. */
export const rootInJson =
  (key: string) =>
  (text: string): string | undefined => {
    try {
      return textOf(JSON.parse(text), key) || undefined;
    } catch {
      return undefined;
    }
  };

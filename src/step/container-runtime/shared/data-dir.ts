import { CONTAINER_SHIMS } from '../../../config/model/container-runtimes.ts';
import { fail } from '../../../common/errors/errors.ts';
import { sh } from '../../../runner/command.ts';
import { textOf } from '../../../util/json-fields.ts';
import { DONE } from '../../contract/finding.ts';
import type { GenericStep, StepContext } from '../../contract/part.ts';

/** The configured and the desired data directory of a runtime. */
export interface DataDirOptions {
  readonly runtime: string;
  /** The path of its configuration. */
  readonly config: string;
  /** Reads the data directory from the configuration; undefined if it is not set or the file is not ours. */
  readonly rootOf: (config: string) => string | undefined;
  readonly wanted: string;
}

/** Refuses to change the data directory of a runtime that has containers, because it would lose track of them. */
export function unchangedDataDir({ runtime, config, rootOf, wanted }: DataDirOptions): GenericStep {
  const currentRoot = async ({ runner }: StepContext) => {
    const [text, hasContainers] = await Promise.all([runner.read(config), runner.test(HAS_CONTAINERS)]);
    const root = text === undefined ? undefined : rootOf(text);
    return hasContainers && root !== undefined && root !== wanted ? root : undefined;
  };
  return Object.freeze<GenericStep>({
    key: 'check:data-dir',
    summary: `check data directory ${wanted}`,
    async precheck(ctx) {
      const root = await currentRoot(ctx);
      return root === undefined ? DONE : { done: false, because: `containers exist in ${root}` };
    },
    async run(ctx) {
      const root = await currentRoot(ctx);
      if (root !== undefined) throw fail('DATA_DIR_IN_USE', { host: ctx.host.name, runtime, root, wanted });
    },
  });
}

/** A runtime that does not respond may still have running containers. */
const HAS_CONTAINERS = sh`PATH=/usr/local/bin:$PATH
[ -n "$(timeout 20 crictl pods -q 2>/dev/null)" ] || grep -qzsE ${`(^|/)(${CONTAINER_SHIMS})$`} /proc/[0-9]*/cmdline`;

/** Reads a key from a JSON configuration; undefined if it is not set. */
export const rootInJson =
  (key: string) =>
  (text: string): string | undefined => {
    try {
      return textOf(JSON.parse(text), key) || undefined;
    } catch {
      return undefined;
    }
  };

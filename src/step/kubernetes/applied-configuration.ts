import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import { sortKeys } from '../../common/json.ts';
import { DONE } from '../contract/finding.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A part of the configuration that kubeadm, not kubexm, writes to files and objects. */
export type ConfigurationName = 'cluster' | 'kubelet' | 'control-plane' | 'secrets';

/** Checksums by name. */
export type Configuration = Readonly<Partial<Record<ConfigurationName, string>>>;

/** Configurations can contain secrets in flags, so only checksums are stored. */
export const configurationChecksum = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex').slice(0, 16);

export interface AppliedConfigurationOptions {
  readonly key: PartKey;
  readonly summary: string;
  readonly name: ConfigurationName;
  readonly checksum: string;
  /** The checksum that earlier versions recorded for the same configuration. */
  readonly formerChecksum?: string;
  readonly apply: (ctx: StepContext) => Promise<void>;
}

/**
 * The configuration was applied on this host. What kubeadm generates cannot be compared with the cluster file, because
 * patches and other versions of kubeadm change it; so a file on the host records what was applied last.
 */
export const appliedConfiguration = ({
  key,
  summary,
  name,
  checksum,
  formerChecksum,
  apply,
}: AppliedConfigurationOptions): GenericStep =>
  Object.freeze<GenericStep>({
    key,
    summary,
    async precheck(ctx) {
      const found = (await readConfiguration(ctx))[name];
      if (found !== undefined && (found === checksum || found === formerChecksum)) return DONE;
      return { done: false, because: found === undefined ? 'not recorded as applied' : 'the configuration changed' };
    },
    async run(ctx) {
      await apply(ctx);
      await recordConfiguration(ctx, { [name]: checksum });
    },
  });

/** Records what was applied; other entries are kept. */
export async function recordConfiguration(ctx: StepContext, applied: Configuration): Promise<void> {
  const all = { ...(await readConfiguration(ctx)), ...applied };
  const content = Object.entries(all)
    .map(([name, checksum]) => `${name} ${checksum}\n`)
    .join('');
  await ctx.runner.write({ path: configurationPath(ctx), content, mode: 0o600, owner: 'root:root' });
}

async function readConfiguration(ctx: StepContext): Promise<Configuration> {
  const text = (await ctx.runner.read(configurationPath(ctx))) ?? '';
  return Object.fromEntries(
    [...text.matchAll(/^(\S+) ([0-9a-f]+)$/gm)].map(([, name = '', checksum = '']) => [name, checksum]),
  );
}

/** The record on a host; it is removed with the record of the node. */
export const configurationPath = ({ originDir }: StepContext) => join(dirname(originDir), 'configuration');

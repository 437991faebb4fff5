import type { Json } from '../../common/json.ts';
import { sh } from '../../runner/command.ts';
import { flagOf, numberOf, textOf } from '../../util/json-fields.ts';
import { fail } from '../../common/errors/errors.ts';
import { findingOf } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import { helm } from './helm.ts';
import { kubectl, LONG_TIMEOUT } from './kubectl.ts';
import { stage, type StagedFile } from '../transfer/staging.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A packed chart on this machine. */
export interface Chart extends StagedFile {
  readonly name: string;
  readonly version: string;
}

/** The release that a chart is installed as. */
export interface HelmRelease {
  readonly release: string;
  readonly namespace: string;
  /** Undefined until it is downloaded. */
  readonly chart: () => Promise<Chart | undefined>;
  readonly values: () => Promise<object>;
  /** Waits until its workloads are ready. */
  readonly wait: boolean;
  readonly timeoutMs: number;
}

/**
 * Ensures that the chart is installed with these values; runs on a master with helm. Values are passed on standard
 * input, so that they appear in no file and no process list. Undo uninstalls the release or rolls it back to the
 * previous revision.
 */
export function helmRelease(wanted: HelmRelease): GenericStep {
  const { release, namespace } = wanted;
  return Object.freeze<GenericStep>({
    key: `helm-release:${namespace}/${release}`,
    summary: `install Helm release ${namespace}/${release}`,
    formerly: [`install the chart ${release} into ${namespace}`],
    async precheck(ctx) {
      const chart = await wanted.chart();
      if (!chart) return findingOf([`the chart of ${release} is not in the cache yet`]);
      const [found, values] = await Promise.all([releaseOf(ctx, wanted), valuesOf(ctx, wanted)]);
      if (!found) return findingOf(['not installed']);
      const title = `${chart.name}-${chart.version}`;
      return findingOf([
        ...(found.chart === title ? [] : [`chart is ${found.chart}, want ${title}`]),
        ...(found.description === describe(chart) ? [] : ['the chart content or the description differs']),
        ...(found.status === 'deployed' ? [] : [`status is ${found.status}`]),
        ...(values === canonical(await wanted.values()) ? [] : ['values differ']),
      ]);
    },
    async remember(ctx) {
      const [found, hasNamespace] = await Promise.all([
        releaseOf(ctx, wanted),
        ctx.runner.test(hasNamespaceCommand(namespace)),
      ]);
      // An interrupted revision cannot be rolled back to.
      return { revision: found?.status === 'deployed' ? found.revision : 0, hasNamespace };
    },
    async run(ctx) {
      const chart = await wanted.chart();
      if (!chart) throw fail('ASSET_MISSING', { host: ctx.host.name, item: `the chart of ${release}` });
      const staged = await stage(ctx, chart, `the chart ${chart.name} ${chart.version}`);
      await clearInterrupted(ctx, wanted);
      const seconds = Math.ceil(wanted.timeoutMs / 1000);
      const flags = wanted.wait ? sh`--wait --timeout ${seconds}s` : sh`--timeout ${seconds}s`;
      await ctx.runner.run(
        helm(
          sh`upgrade --install ${release} ${staged} -n ${namespace} --create-namespace --description ${describe(chart)} ${flags} -f -`,
        ),
        { ...streamOutput(ctx), stdin: JSON.stringify(await wanted.values()) },
      );
    },
    async rollback(ctx, before) {
      const revision = numberOf(before, 'revision');
      if (revision > 0)
        await ctx.runner.run(helm(sh`rollback ${release} ${revision} -n ${namespace}`), streamOutput(ctx));
      else await uninstallRelease(ctx, wanted);
      if (!flagOf(before, 'hasNamespace')) await ctx.runner.run(removeNamespace(namespace), streamOutput(ctx));
    },
  });
}

/** Identifies the chart by content, because users may change a local chart without changing its version. */
const describe = ({ sha256 }: Chart) => `kubexm ${sha256.slice(0, 16)}`;

/** Uninstalls the release if it exists. */
export const uninstallRelease = (ctx: StepContext, { release, namespace }: Named): Promise<unknown> =>
  ctx.runner.run(
    helm(sh`uninstall ${release} -n ${namespace} --ignore-not-found --wait --timeout 120s`),
    streamOutput(ctx),
  );

type Named = Pick<HelmRelease, 'release' | 'namespace'>;

/** A release as reported by helm. */
export interface ReleaseState {
  readonly revision: number;
  readonly status: string;
  /** "cilium-1.20.1" */
  readonly chart: string;
  readonly description: string;
}

/** The latest revision of a release, in any state. */
export async function releaseOf(
  { runner }: StepContext,
  { release, namespace }: Named,
): Promise<ReleaseState | undefined> {
  const { stdout } = await runner.query(helm(sh`history ${release} -n ${namespace} --max 1 -o json 2>/dev/null`));
  const list: Json = stdout.trim().startsWith('[') ? JSON.parse(stdout) : [];
  const [found] = Array.isArray(list) ? list : [];
  if (found === undefined) return undefined;
  return {
    revision: numberOf(found, 'revision'),
    status: textOf(found, 'status'),
    chart: textOf(found, 'chart'),
    description: textOf(found, 'description'),
  };
}

async function valuesOf({ runner }: StepContext, { release, namespace }: Named): Promise<string> {
  const { stdout } = await runner.query(helm(sh`get values ${release} -n ${namespace} -o json 2>/dev/null`));
  const values: Json = stdout.trim() === '' ? null : JSON.parse(stdout);
  return canonical(values ?? {});
}

/** JSON with sorted keys, for comparison. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)
    .join()}}`;
}

/** Recovers a release that an interrupted helm left locked. */
async function clearInterrupted(ctx: StepContext, wanted: Named): Promise<void> {
  const found = await releaseOf(ctx, wanted);
  if (!found || !/^(pending-|uninstalling)/.test(found.status)) return;
  ctx.say(`recovering ${wanted.release}, which is ${found.status}`);
  if (found.revision === 1 || found.status === 'uninstalling') await uninstallRelease(ctx, wanted);
  else await ctx.runner.run(helm(sh`rollback ${wanted.release} -n ${wanted.namespace}`), streamOutput(ctx));
}

const hasNamespaceCommand = (namespace: string) => kubectl(sh`get namespace ${namespace} >/dev/null 2>&1`);

const removeNamespace = (namespace: string) =>
  kubectl(sh`delete namespace ${namespace} --ignore-not-found ${LONG_TIMEOUT}`);

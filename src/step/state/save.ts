import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { catalogOf } from '../../resource/catalog/catalog.ts';
import { stateFile } from '../../common/cluster-files.ts';
import { VERSION } from '../../common/version.ts';
import { appliedSpec, readApplied, type AppliedState } from '../../config/model/applied.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { NODE_CHECKSUMS } from './checksums.ts';

/** This machine knows what was applied; when it is still the same, nothing is written. */
export const saveLocalState = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'state.save',
    summary: 'Keep here what was applied',
    needs: [NODE_CHECKSUMS],
    parts: () => [saved(cluster, folder)],
  });

function saved(cluster: Cluster, folder: string): GenericStep {
  const path = stateFile(folder);
  const look = async (ctx: StepContext) => {
    const found = readApplied(await readFile(path, 'utf8').catch(() => ''));
    return { found, wanted: stateOf(cluster, ctx, found) };
  };
  return Object.freeze<GenericStep>({
    key: 'local-file:state.json',
    summary: `write ${path}`,
    async precheck(ctx) {
      const [{ found, wanted }, mode] = await Promise.all([look(ctx), modeAt(path)]);
      if (!found) return findingOf(['it is not there, or not whole']);
      return findingOf([
        ...CONTENT.flatMap(([key, what]) => (isDeepStrictEqual(found[key], wanted[key]) ? [] : [`${what} changed`])),
        ...(mode === 0o600 ? [] : ['others may read it']),
      ]);
    },
    async run(ctx) {
      const { wanted } = await look(ctx);
      await ensureFolder(folder, 0o700);
      await writeFileAtomically(path, `${JSON.stringify(wanted, null, 2)}\n`, 0o600);
    },
  });
}

/** What makes one state another one; by whom and when it was written does not. */
const CONTENT = [
  ['spec', 'the cluster file'],
  ['versions', 'a version'],
  ['files', 'a file of a node'],
] as const;

const modeAt = async (path: string) => ((await stat(path).catch(() => undefined))?.mode ?? 0) & 0o777;

function stateOf(cluster: Cluster, ctx: StepContext, before: AppliedState | undefined): AppliedState {
  const now = new Date().toISOString();
  return {
    kind: 'ClusterState',
    cluster: cluster.name,
    kubexm: VERSION,
    run: ctx.run,
    created: before?.created ?? now,
    applied: now,
    versions: versionsOf(cluster),
    spec: appliedSpec(cluster),
    files: filesOf(cluster, ctx, before),
  };
}

function versionsOf(cluster: Cluster): Readonly<Record<string, string>> {
  // Versions are the same for all architectures.
  const { files, images } = catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, 'amd64'])));
  const pairs = [...images, ...files].map(({ name, version }) => [name, version.replace(/^v/, '')] as const);
  return Object.fromEntries(pairs.toSorted(([one], [other]) => one.localeCompare(other)));
}

/** Of a host that was not asked this time, what is known of it stays. */
function filesOf({ hosts }: Cluster, { cache }: StepContext, before: AppliedState | undefined): AppliedState['files'] {
  const seen = cache.get(NODE_CHECKSUMS);
  const pairs = hosts.flatMap(({ name }) => {
    const sums = seen?.get(name) ?? before?.files[name];
    return sums ? [[name, sums] as const] : [];
  });
  return Object.fromEntries(pairs);
}

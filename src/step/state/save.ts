import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { catalogOf } from '../../resource/catalog/cluster-artifacts.ts';
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

/** Saves the applied state on this machine, unless it is unchanged. */
export const saveLocalState = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'state.save',
    summary: 'Save the applied state',
    needs: [NODE_CHECKSUMS],
    parts: () => [savedState(cluster, folder)],
  });

function savedState(cluster: Cluster, folder: string): GenericStep {
  const path = stateFile(folder);
  const readState = async (ctx: StepContext) => {
    const found = readApplied(await readFile(path, 'utf8').catch(() => ''));
    return { found, wanted: stateOf(cluster, ctx, found) };
  };
  return Object.freeze<GenericStep>({
    key: 'local-file:state.json',
    summary: `write ${path}`,
    async precheck(ctx) {
      const [{ found, wanted }, mode] = await Promise.all([readState(ctx), modeAt(path)]);
      if (!found) return findingOf(['is missing or invalid']);
      return findingOf([
        ...CONTENT.flatMap(([key, what]) => (isDeepStrictEqual(found[key], wanted[key]) ? [] : [`${what} changed`])),
        ...(mode === 0o600 ? [] : ['is readable by other users']),
      ]);
    },
    async run(ctx) {
      const { wanted } = await readState(ctx);
      await ensureFolder(folder, 0o700);
      await writeFileAtomically(path, `${JSON.stringify(wanted, null, 2)}\n`, 0o600);
    },
  });
}

/** The fields that are compared; version of kubexm, run and times are not. */
const CONTENT = [
  ['spec', 'the cluster file'],
  ['versions', 'a version'],
  ['files', 'a file on a node'],
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
  // Versions do not depend on the architecture.
  const { files, images } = catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, 'amd64'])));
  const pairs = [...images, ...files].map(({ name, version }) => [name, version.replace(/^v/, '')] as const);
  return Object.fromEntries(pairs.toSorted(([one], [other]) => one.localeCompare(other)));
}

/** Keeps the previous checksums of hosts that were not part of this run. */
function filesOf({ hosts }: Cluster, { cache }: StepContext, before: AppliedState | undefined): AppliedState['files'] {
  const current = cache.get(NODE_CHECKSUMS);
  const pairs = hosts.flatMap(({ name }) => {
    const checksums = current?.get(name) ?? before?.files[name];
    return checksums ? [[name, checksums] as const] : [];
  });
  return Object.fromEntries(pairs);
}

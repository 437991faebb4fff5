import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { catalogOf } from '../../resource/catalog/cluster-artifacts.ts';
import { digestKeyFile, stateFile } from '../../common/cluster-files.ts';
import type { Host } from '../../common/host.ts';
import { VERSION } from '../../common/version.ts';
import { appliedSpec, keyedDigest, readApplied, type AppliedState, type Digest } from '../../config/model/applied.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { readPrivateFile } from '../../util/private-file.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { NODE_CHECKSUMS } from './checksums.ts';
import { readPublished } from './published.ts';

/** Saves the applied state on this machine, unless it is unchanged. */
export const saveLocalState = (cluster: Cluster, folder: string, first: Host): Step =>
  defineStep({
    name: 'state.save',
    summary: 'Save the applied state',
    needs: [NODE_CHECKSUMS],
    parts: () => [savedState(cluster, folder, first)],
  });

function savedState(cluster: Cluster, folder: string, first: Host): GenericStep {
  const path = stateFile(folder);
  return Object.freeze<GenericStep>({
    key: 'local-file:state.json',
    summary: `write ${path}`,
    async precheck(ctx) {
      const [found, key, mode] = await Promise.all([
        localState(path),
        readPrivateFile(digestKeyFile(folder)),
        modeAt(path),
      ]);
      if (!found) return findingOf(['is missing or invalid']);
      if (key === undefined) return findingOf(['its digest key is missing']);
      const wanted = stateOf(cluster, ctx, found, keyedDigest(key));
      return findingOf([
        ...CONTENT.flatMap(([field, what]) =>
          isDeepStrictEqual(found[field], wanted[field]) ? [] : [`${what} changed`],
        ),
        ...(mode === 0o600 ? [] : ['is readable by other users']),
      ]);
    },
    async run(ctx) {
      await ensureFolder(folder, 0o700);
      const digest = keyedDigest(await ensureDigestKey(digestKeyFile(folder)));
      const found = (await localState(path)) ?? (await readPublished(ctx, first));
      const wanted = stateOf(cluster, ctx, found, digest);
      await writeFileAtomically(path, `${JSON.stringify(wanted, null, 2)}\n`, 0o600);
    },
  });
}

const localState = async (path: string) => readApplied((await readPrivateFile(path)) ?? '');

async function ensureDigestKey(path: string): Promise<string> {
  const existing = await readPrivateFile(path);
  if (existing !== undefined) return existing;
  const key = randomBytes(32).toString('hex');
  await writeFileAtomically(path, key, 0o600);
  return key;
}

/** The fields that are compared; version of kubexm, run and times are not. */
const CONTENT = [
  ['spec', 'the cluster file'],
  ['versions', 'a version'],
  ['files', 'a file on a node'],
] as const;

const modeAt = async (path: string) => ((await stat(path).catch(() => undefined))?.mode ?? 0) & 0o777;

function stateOf(cluster: Cluster, ctx: StepContext, before: AppliedState | undefined, digest: Digest): AppliedState {
  const now = new Date().toISOString();
  return {
    kind: 'ClusterState',
    cluster: cluster.name,
    kubexm: VERSION,
    run: ctx.run,
    created: before?.created ?? now,
    applied: now,
    versions: versionsOf(cluster),
    spec: appliedSpec(cluster, digest),
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

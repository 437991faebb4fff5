import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openCache, type ArtifactCache } from '../../resource/cache/cache.ts';
import { hashFile } from '../../resource/cache/hash.ts';
import type { SystemPackages } from '../../resource/bundle/bundle-index.ts';
import { findPackageRecord, writePackageRecord } from '../../resource/bundle/system-packages.ts';
import { fail } from '../../common/errors/errors.ts';
import { sh } from '../../runner/command.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Packages of a system, and where its hosts fetch them. */
export interface PackageSources {
  readonly system: SystemPackages;
  /** By their sums. */
  readonly uris: Readonly<Record<string, string>>;
}

/** Packages of the host's system are in the cache of this machine. The host fetches them: it knows its repositories and proxies. */
export const fetchPackages = (sources: PackageSources): Step =>
  defineStep({
    name: 'artifact.fetch-packages',
    summary: `Fetch ${sources.system.packages.length} packages of ${sources.system.id}`,
    timeoutMs: ONE_HOUR,
    parts: () => [fetchedPackages(sources)],
  });

const ONE_HOUR = 3_600_000;

function fetchedPackages({ system, uris }: PackageSources): GenericStep {
  const cache = openCache();
  const missing = async () => {
    const found = await Promise.all(system.packages.map(({ sha256 }) => cache.find(sha256)));
    return system.packages.filter((_, at) => found[at] === undefined);
  };
  return Object.freeze<GenericStep>({
    key: `artifacts:packages-${system.id}-${system.arch}`,
    summary: `fetch ${system.packages.length} packages`,
    async precheck() {
      const [left, known] = await Promise.all([missing(), findPackageRecord(cache, system)]);
      if (left.length > 0) return { done: false, because: `not here: ${left.map(({ file }) => file).join(', ')}` };
      const same = known && isDeepStrictEqual(known.packages, system.packages);
      return same ? DONE : { done: false, because: 'it is not put down which belong together' };
    },
    async run(ctx) {
      const folder = join(cache.folder, 'packages', 'fetching');
      await ensureFolder(folder, 0o700);
      const left = await missing();
      if (left.length === 0) return await writePackageRecord(cache, system);
      const wanted = left.map(({ sha256 }) => `${sha256} ${uris[sha256] ?? ''}\n`).join('');
      await ctx.runner.run(FETCH, { stdin: wanted, onLine: (line) => ctx.say(line) });
      for (const one of left) await takeOver(ctx, cache, one, folder);
      await ctx.runner.run(sh`rm -rf ${HOST_FOLDER}`);
      await writePackageRecord(cache, system);
    },
  });
}

const HOST_FOLDER = '/var/lib/kubexm/fetched-packages';

/** What an interrupted run fetched is used; the last line of output says what is under way. */
const FETCH = sh`umask 077; mkdir -p -- ${HOST_FOLDER} || exit
while read -r sum uri; do
  basename "$uri"
  target=${HOST_FOLDER}/$sum.deb
  echo "$sum  $target" | sha256sum --check --status 2>/dev/null && continue
  /usr/lib/apt/apt-helper download-file "$uri" "$target" "SHA256:$sum" || exit
done`;

async function takeOver(
  ctx: StepContext,
  cache: ArtifactCache,
  { file, sha256 }: SystemPackages['packages'][number],
  folder: string,
): Promise<void> {
  const { runner, host, signal } = ctx;
  const [there, here] = [`${HOST_FOLDER}/${sha256}.deb`, join(folder, sha256)];
  ctx.say(file);
  await runner.download(there, here, signal);
  const found = await hashFile(here);
  if (found.sha256 !== sha256)
    throw fail('DOWNLOAD_FAILED', { host: host.name, path: there, reason: `the sum of ${file} is ${found.sha256}` });
  await cache.add(here, found);
}

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

/** The packages of an operating system, with the URIs to download them from. */
export interface PackageSources {
  readonly system: SystemPackages;
  /** By checksum. */
  readonly uris: Readonly<Record<string, string>>;
}

/**
 * Fetches the packages for the host's distribution into the local cache. The host downloads them, because it knows its
 * repositories and proxies.
 */
export const fetchPackages = (sources: PackageSources): Step =>
  defineStep({
    name: 'artifact.fetch-packages',
    summary: `Download ${sources.system.packages.length} packages for ${sources.system.id}`,
    timeoutMs: ONE_HOUR,
    parts: () => [fetchedPackages(sources)],
  });

const ONE_HOUR = 3_600_000;

function fetchedPackages({ system, uris }: PackageSources): GenericStep {
  const cache = openCache();
  const missing = async () => {
    const found = await Promise.all(system.packages.map(({ sha256 }) => cache.find(sha256)));
    return system.packages.filter((_, index) => found[index] === undefined);
  };
  return Object.freeze<GenericStep>({
    key: `artifacts:packages-${system.id}-${system.arch}`,
    summary: `download ${system.packages.length} packages`,
    async precheck() {
      const [left, known] = await Promise.all([missing(), findPackageRecord(cache, system)]);
      if (left.length > 0)
        return { done: false, because: `not in the cache: ${left.map(({ file }) => file).join(', ')}` };
      const same = known && isDeepStrictEqual(known.packages, system.packages);
      return same ? DONE : { done: false, because: 'the list of packages is not recorded' };
    },
    async run(ctx) {
      const folder = join(cache.folder, 'packages', 'fetching');
      await ensureFolder(folder, 0o700);
      const left = await missing();
      if (left.length === 0) return await writePackageRecord(cache, system);
      const wanted = left.map(({ sha256 }) => `${sha256} ${uris[sha256] ?? ''}\n`).join('');
      await ctx.runner.run(FETCH, { stdin: wanted, onLine: (line) => ctx.say(line) });
      for (const one of left) await copyToCache(ctx, cache, one, folder);
      await ctx.runner.run(sh`rm -rf ${HOST_FOLDER}`);
      await writePackageRecord(cache, system);
    },
  });
}

const HOST_FOLDER = '/var/lib/kubexm/fetched-packages';

/** Reuses the downloads of an interrupted run. Prints the name of each package for the progress display. */
const FETCH = sh`umask 077; mkdir -p -- ${HOST_FOLDER} || exit
while read -r sum uri; do
  basename "$uri"
  target=${HOST_FOLDER}/$sum.deb
  echo "$sum  $target" | sha256sum --check --status 2>/dev/null && continue
  /usr/lib/apt/apt-helper download-file "$uri" "$target" "SHA256:$sum" || exit
done`;

async function copyToCache(
  ctx: StepContext,
  cache: ArtifactCache,
  { file, sha256 }: SystemPackages['packages'][number],
  folder: string,
): Promise<void> {
  const { runner, host, signal } = ctx;
  const remotePath = `${HOST_FOLDER}/${sha256}.deb`;
  const localPath = join(folder, sha256);
  ctx.say(file);
  await runner.download(remotePath, localPath, signal);
  const found = await hashFile(localPath);
  if (found.sha256 !== sha256)
    throw fail('DOWNLOAD_FAILED', {
      host: host.name,
      path: remotePath,
      reason: `the checksum of ${file} is ${found.sha256}, want ${sha256}`,
    });
  await cache.add(localPath, found);
}

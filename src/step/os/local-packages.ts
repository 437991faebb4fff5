import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SystemPackages } from '../../resource/bundle/bundle-index.ts';
import { findPackageRecord } from '../../resource/bundle/system-packages.ts';
import { openCache, type ArtifactCache } from '../../resource/cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { LOCAL_REPOSITORY } from '../../runner/package/apt.ts';
import type { UploadSource } from '../../runner/runner.ts';
import { tarOf, type TarEntry } from '../../util/tar.ts';
import { absent } from '../common/absent.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext, StepView } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { systemOf, wantedPackages } from '../host-requirements/packages.ts';

/** Uploads missing packages from a bundle, as the only repository that kubexm uses with apt. */
export const providePackages = (cluster: Cluster): Step =>
  defineStep({
    name: 'os.provide-packages',
    summary: 'Upload packages from the bundle',
    timeoutMs: 3_600_000,
    parts: (view) => [localRepository(view, wantedPackages(cluster, clusterHost(cluster, view.host), view.facts))],
  });

/** Makes apt use the configured repositories again. */
export const withdrawPackages = defineStep({
  name: 'os.withdraw-packages',
  summary: 'Remove the uploaded packages',
  parts: () => [absent({ path: LOCAL_REPOSITORY })],
});

function localRepository({ facts }: StepView, wanted: readonly string[]): GenericStep {
  const cache = openCache();
  const id = systemOf(facts);
  const missingOn = async ({ runner }: StepContext) => {
    const installed = await runner.packages.installed(wanted);
    return wanted.filter((name) => !installed.has(name));
  };
  // Prefers a bundle with all packages; installed packages need not be in it.
  const findBundle = async (missing: readonly string[]) =>
    (await findPackageRecord(cache, { id, arch: facts.arch, wanted })) ??
    (await findPackageRecord(cache, { id, arch: facts.arch, wanted: missing }));
  return Object.freeze<GenericStep>({
    key: `bundle:${LOCAL_REPOSITORY}`,
    summary: `upload packages for ${id} to ${LOCAL_REPOSITORY}`,
    async precheck(ctx) {
      const [missing, list] = await Promise.all([missingOn(ctx), ctx.runner.read(`${LOCAL_REPOSITORY}/list`)]);
      if (missing.length === 0) return DONE;
      const system = await findBundle(missing);
      if (!system) return { done: false, because: `not provided by a bundle: ${missing.join(', ')}` };
      if (list === listOf(system)) return DONE;
      return { done: false, because: `${system.packages.length} packages to upload` };
    },
    async run(ctx) {
      const { runner, host } = ctx;
      const missing = await missingOn(ctx);
      const system = await findBundle(missing);
      if (!system) throw fail('OFFLINE_PACKAGES', { host: host.name, packages: missing.join(' '), system: id });
      const source = await archiveOf(cache, system);
      ctx.say(`uploading ${system.packages.length} packages, ${Math.ceil(source.size / 1e6)} MB`);
      const path = `${LOCAL_REPOSITORY}/packages.tar`;
      await runner.run(sh`umask 022; mkdir -p -- ${LOCAL_REPOSITORY}/lists/partial`);
      await runner.upload(source, { path, mode: 0o600, owner: 'root:root' }, ctx.signal);
      await runner.run(UNPACK, { stdin: listOf(system) });
    },
    async rollback({ runner }) {
      await runner.run(sh`rm -rf -- ${LOCAL_REPOSITORY}`);
    },
  });
}

const listOf = ({ packages }: SystemPackages) => packages.map(({ sha256, file }) => `${sha256} ${file}\n`).join('');

/** One archive of all packages, created while it is uploaded. It is reproducible, so the upload can be resumed. */
async function archiveOf(cache: ArtifactCache, { packages }: SystemPackages): Promise<UploadSource> {
  const entries = await Promise.all(
    packages.map(async ({ sha256, file }): Promise<TarEntry> => {
      const blob = await cache.find(sha256);
      if (!blob) throw fail('OFFLINE_MISSING', { item: file, url: 'a bundle' });
      // Package file names may contain characters that are special to apt.
      return { type: 'file', path: `${sha256}.deb`, from: blob.path, mode: 0o644 };
    }),
  );
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of tarOf(entries)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex'), open: (offset) => Readable.from(from(tarOf(entries), offset)) };
}

async function* from(source: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  let left = offset;
  for await (const chunk of source) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** Writes the list last: it marks the repository as complete. */
const UNPACK = sh`set -e
umask 022
cd ${LOCAL_REPOSITORY}
rm -f list ./*.deb
tar -xf packages.tar
for file in *.deb; do
  dpkg-deb --field "$file"
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$file" "$(stat -c %s "$file")" "$(basename "$file" .deb)"
done >Packages
echo ${`deb [trusted=yes] file:${LOCAL_REPOSITORY} ./`} >sources.list
printf '%s\n' ${`Dir::Etc::sourcelist "${LOCAL_REPOSITORY}/sources.list";`} 'Dir::Etc::sourceparts "/dev/null";' ${`Dir::State::lists "${LOCAL_REPOSITORY}/lists";`} 'Dir::Cache::pkgcache "";' 'Dir::Cache::srcpkgcache "";' 'APT::Sandbox::User "root";' >apt.conf
rm packages.tar
cat >list.new
mv list.new list`;

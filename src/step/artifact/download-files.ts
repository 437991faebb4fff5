import { join } from 'node:path';
import { clusterOf, type Assets } from '../../resource/assets.ts';
import { openDownloader } from '../../resource/download/downloader.ts';
import { downloadFile } from '../../resource/download/download-file.ts';
import { knownChecksum } from '../../resource/download/expected-checksum.ts';
import { fileTitle } from '../../resource/item.ts';
import { forEachParallel } from '../../util/parallel.ts';
import { lookUpFiles } from '../transfer/cached-file.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Downloads and verifies files, and links them into the cluster's folder; hosts get them from this machine. */
export const downloadFiles = (assets: Assets): Step =>
  defineStep({
    name: 'artifact.download',
    summary: `Download ${assets.downloads.files.length} files`,
    timeoutMs: THREE_HOURS,
    parts: () => [downloadedFiles(assets)],
  });

const THREE_HOURS = 3 * 3_600_000;

/** More parallel downloads would only share the bandwidth. */
const PARALLEL = 4;

function downloadedFiles(assets: Assets): GenericStep {
  const {
    downloads: { files },
    artifacts,
    folder,
    offline,
  } = assets;
  const options = { offline, cluster: clusterOf({ folder }) };
  const missing = async () => {
    await using downloader = await openDownloader(artifacts, options);
    const found = await Promise.all(
      files.map(async (file) => {
        const checksum = await knownChecksum(downloader, file);
        const blob = checksum && (await downloader.cache.find(checksum.sha256));
        return blob && (await downloader.cache.isAt(blob, join(folder, file.path))) ? [] : [file];
      }),
    );
    return found.flat();
  };
  return Object.freeze<GenericStep>({
    key: 'artifacts:files',
    summary: `download ${files.length} files`,
    async precheck() {
      const left = await missing();
      if (left.length === 0) await lookUpFiles(assets);
      return left.length === 0 ? DONE : { done: false, because: `not in the cache: ${left.map(fileTitle).join(', ')}` };
    },
    async run(ctx) {
      await using downloader = await openDownloader(artifacts, options);
      await forEachParallel(await missing(), PARALLEL, async (file) => {
        const blob = await downloadFile(downloader, file, { signal: ctx.signal, say: (line) => ctx.say(line) });
        await downloader.cache.link(blob, join(folder, file.path));
        ctx.say(`downloaded ${fileTitle(file)}`);
      });
    },
  });
}

import { join } from 'node:path';
import { openDownloader } from '../../resource/download/downloader.ts';
import { downloadFile } from '../../resource/download/download-file.ts';
import { knownChecksum } from '../../resource/download/expected-checksum.ts';
import { fileTitle, type FileItem } from '../../resource/item.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { forEachParallel } from '../../util/parallel.ts';
import { DONE } from '../contract/finding.ts';
import { defineStep, type GenericStep, type Step } from '../contract/step.ts';

/** What is to be on this machine, and where it may come from. */
export interface DownloadOptions {
  readonly files: readonly FileItem[];
  readonly artifacts: Cluster['artifacts'];
  /** The folder of the cluster, which files are linked into. */
  readonly folder: string;
  readonly offline: boolean;
}

/** Files of the internet are on this machine, whole and checked; every host then gets them from here. */
export const downloadArtifacts = (options: DownloadOptions): Step =>
  defineStep({
    name: 'artifact.download',
    summary: `Download ${options.files.length} files`,
    timeoutMs: THREE_HOURS,
    parts: () => [downloadedFiles(options)],
  });

const THREE_HOURS = 3 * 3_600_000;

/** More at once only share the same line. */
const AT_ONCE = 4;

function downloadedFiles({ files, artifacts, folder, offline }: DownloadOptions): GenericStep {
  const missing = async () => {
    await using downloader = await openDownloader(artifacts, { offline });
    const found = await Promise.all(
      files.map(async (file) => {
        const sum = await knownChecksum(downloader, file);
        const blob = sum && (await downloader.cache.find(sum.sha256));
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
      return left.length === 0 ? DONE : { done: false, because: `not here: ${left.map(fileTitle).join(', ')}` };
    },
    async run(ctx) {
      await using downloader = await openDownloader(artifacts, { offline });
      await forEachParallel(await missing(), AT_ONCE, async (file) => {
        const blob = await downloadFile(downloader, file, { signal: ctx.signal, say: (line) => ctx.say(line) });
        await downloader.cache.link(blob, join(folder, file.path));
        ctx.say(`${fileTitle(file)} is here`);
      });
    },
  });
}

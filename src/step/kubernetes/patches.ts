import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { PATCHES } from '../../template/kubernetes/apiserver-files.ts';
import { fileTree } from '../common/file-tree.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Uploads the user's kubeadm patches. */
export const uploadPatches = (folder: string): Step =>
  defineStep({
    name: 'kubeadm.patches',
    summary: 'Upload the kubeadm patches',
    reversible: true,
    parts: () => [uploadedFolder(folder)],
  });

function uploadedFolder(folder: string): GenericStep {
  const tree = async () => fileTree({ path: PATCHES, files: await filesIn(folder) });
  const empty = fileTree({ path: PATCHES, files: [] });
  return Object.freeze<GenericStep>({
    ...empty,
    summary: `upload ${folder} to ${PATCHES}`,
    formerly: [...(empty.formerly ?? []), `bring ${folder} to ${PATCHES}`],
    precheck: async (ctx: StepContext) => (await tree()).precheck(ctx),
    run: async (ctx: StepContext) => (await tree()).run(ctx),
  });
}

async function filesIn(folder: string) {
  const names = await readdir(folder).catch(() => {
    throw fail('FILE_NOT_FOUND', { path: folder });
  });
  const read = names.toSorted().map(async (name) => ({
    name,
    content: await readFile(join(folder, name), 'utf8'),
    secret: false,
  }));
  return Promise.all(read);
}

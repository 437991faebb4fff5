import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { PATCHES } from '../../template/kubernetes/apiserver-files.ts';
import { fileTree } from '../common/file-tree.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Nodes have the user's patches of what kubeadm writes. */
export const uploadPatches = (folder: string): Step =>
  defineStep({
    name: 'kubeadm.patches',
    summary: 'Bring the patches of kubeadm to the node',
    reversible: true,
    parts: () => [sentFolder(folder)],
  });

function sentFolder(folder: string): GenericStep {
  const found = async () => fileTree({ path: PATCHES, files: await filesIn(folder) });
  return Object.freeze<GenericStep>({
    ...fileTree({ path: PATCHES, files: [] }),
    summary: `bring ${folder} to ${PATCHES}`,
    precheck: async (ctx: StepContext) => (await found()).precheck(ctx),
    run: async (ctx: StepContext) => (await found()).run(ctx),
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

import { chain, empty, on, parallel, sequence } from '../../../plan/fragment.ts';
import {
  asksApiserverFiles,
  makeEncryptionKey,
  writeApiserverFiles,
} from '../../../step/kubernetes/apiserver-files.ts';
import { programSteps } from '../../../step/kubernetes/binary/steps.ts';
import { noteHost } from '../../../step/kubernetes/note-host.ts';
import { refuseChanges } from '../../../step/kubernetes/refuse-changes.ts';
import { clearStaging } from '../../../step/transfer/staging.ts';
import { nodesAmong, workersOnly } from '../../nodes.ts';
import type { Assets } from '../../preflight/prepare-assets.ts';
import { defineTask } from '../../task.ts';

export const installBinaries = defineTask<Assets>({
  name: 'install-kubernetes',
  title: 'Install the programs of Kubernetes, and what they read',
  plan: ({ cluster, hosts, local }, assets) => {
    const masters = hosts.withRole('master');
    const before = [refuseChanges(cluster), noteHost(cluster)];
    return sequence(
      cluster.kubernetes.encryptionAtRest ? on(local, makeEncryptionKey(assets.folder)) : empty,
      parallel(
        chain(masters, [...before, ...programSteps(cluster, assets, true)]),
        chain(workersOnly(hosts), [...before, ...programSteps(cluster, assets, false)]),
      ),
      asksApiserverFiles(cluster) ? on(masters, writeApiserverFiles(cluster, assets.folder)) : empty,
      on(nodesAmong(hosts), clearStaging),
    );
  },
});

import { kubernetesCertificates } from '../../../common/cluster-files.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { endpointServer } from '../../../config/model/addresses.ts';
import { minorOf } from '../../../config/model/version.ts';
import { readPair } from '../../../pki/store.ts';
import { localFile } from '../../../runner/local-file.ts';
import { sh } from '../../../runner/command.ts';
import { fail } from '../../../common/errors/errors.ts';
import { clusterAdmins, clusterInfo, nodeBootstrap, kubeletApiAccess } from '../../../template/kubernetes/rbac.ts';
import { kubeconfigAt } from '../../../template/kubernetes/paths.ts';
import { publicKubeconfig } from '../../../template/kubernetes/kubeconfig.ts';
import { applied } from '../../kubernetes-object/applied.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { ADMIN_CONF, kubectl, kubectlAs } from '../../kubernetes-object/kubectl.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { localKubeconfig } from './kubeconfigs.ts';

/** Creates the RBAC bindings of administrators and nodes, and the cluster-info ConfigMap; runs on the first master. */
export const createRbacBindings = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'kubernetes.grant',
    summary: 'Create RBAC bindings',
    parts: () => [
      ...(minorOf(cluster.kubernetes.version) >= 29 ? [administratorBinding(folder)] : []),
      applied({
        id: 'node-rbac',
        name: 'RBAC for nodes',
        formerName: 'the rules of access',
        objects: () => Promise.resolve([kubeletApiAccess, ...nodeBootstrap]),
      }),
      applied({
        id: 'cluster-info',
        formerName: 'the place of the cluster',
        objects: async () => {
          const { certificate } = await readPair(kubernetesCertificates(folder), 'ca');
          return certificate === undefined
            ? undefined
            : clusterInfo(publicKubeconfig(endpointServer(cluster), certificate));
        },
      }),
    ],
  });

/** Uses super-admin.conf, which bypasses RBAC and exists on the host only while the binding is created. */
const administratorBinding = (folder: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'objects:administrators',
    summary: 'bind administrators to cluster-admin',
    async precheck({ runner }) {
      const hasBinding = sh`[ -s ${ADMIN_CONF} ] && ${kubectl(sh`get clusterrolebinding ${clusterAdmins.metadata.name} -o name`)} >/dev/null 2>&1`;
      const [bound, removed] = await Promise.all([runner.test(hasBinding), runner.test(sh`[ ! -e ${SUPER_ADMIN} ]`)]);
      return findingOf([
        ...(bound ? [] : ['the binding of administrators does not exist']),
        ...(removed ? [] : [`${SUPER_ADMIN} still exists`]),
      ]);
    },
    async run(ctx) {
      const path = localKubeconfig(folder, ctx.host.name, 'super-admin');
      const source = await localFile(path);
      if (!source) throw fail('FILE_NOT_FOUND', { path });
      await ctx.runner.upload(source, { path: SUPER_ADMIN, mode: 0o600, owner: 'root:root' }, ctx.signal);
      try {
        const stdin = JSON.stringify(clusterAdmins);
        await ctx.runner.run(kubectlAs(SUPER_ADMIN, sh`apply -f -`), { ...streamOutput(ctx), stdin });
      } finally {
        await ctx.runner.run(sh`rm -f -- ${SUPER_ADMIN}`);
      }
    },
  });

const SUPER_ADMIN = kubeconfigAt('super-admin');

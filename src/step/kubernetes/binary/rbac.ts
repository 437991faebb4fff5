import { kubernetesCertificates } from '../../../common/cluster-files.ts';
import type { Host } from '../../../common/host.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { endpointServer } from '../../../config/model/addresses.ts';
import { minorOf } from '../../../config/model/version.ts';
import type { CertificateRequest } from '../../../pki/request.ts';
import { issueTemporary, readPair } from '../../../pki/store.ts';
import { sh } from '../../../runner/command.ts';
import { clusterAdmins, clusterInfo, nodeBootstrap, kubeletApiAccess } from '../../../template/kubernetes/rbac.ts';
import { kubeconfigAt } from '../../../template/kubernetes/paths.ts';
import { kubeconfig, publicKubeconfig } from '../../../template/kubernetes/kubeconfig.ts';
import { applied } from '../../kubernetes-object/applied.ts';
import { clusterHost } from '../../contract/cluster-host.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { ADMIN_CONF, kubectl, kubectlAs } from '../../kubernetes-object/kubectl.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { ownApiServer } from './kubeconfigs.ts';

/** Creates the RBAC bindings of administrators and nodes, and the cluster-info ConfigMap; runs on the first master. */
export const createRbacBindings = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'kubernetes.grant',
    summary: 'Create RBAC bindings',
    parts: () => [
      ...(minorOf(cluster.kubernetes.version) >= 29 ? [administratorBinding(cluster, folder)] : []),
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

/**
 * Uses super-admin.conf, which bypasses RBAC. Its credentials are issued for this purpose, valid for a day, and stored
 * nowhere: the file exists on the host only while the binding is created.
 */
const administratorBinding = (cluster: Cluster, folder: string): GenericStep =>
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
      const content = await superAdminConf(cluster, folder, ctx.host);
      await ctx.runner.write({ path: SUPER_ADMIN, content, mode: 0o600, owner: 'root:root' });
      try {
        const stdin = JSON.stringify(clusterAdmins);
        await ctx.runner.run(kubectlAs(SUPER_ADMIN, sh`apply -f -`), { ...streamOutput(ctx), stdin });
      } finally {
        await ctx.runner.run(sh`rm -f -- ${SUPER_ADMIN}`);
      }
    },
  });

async function superAdminConf(cluster: Cluster, folder: string, host: Host): Promise<string> {
  const { ca, certificate, key } = await issueTemporary(kubernetesCertificates(folder), SUPER_ADMIN_REQUEST);
  return kubeconfig({
    cluster: cluster.name,
    server: ownApiServer(cluster, clusterHost(cluster, host)),
    ca,
    user: SUPER_ADMIN_REQUEST.commonName,
    credentials: { type: 'certificate', certificate, key },
  });
}

const SUPER_ADMIN_REQUEST: CertificateRequest = {
  name: 'super-admin',
  commonName: 'kubernetes-super-admin',
  organizations: ['system:masters'],
  usages: ['client'],
  days: 1,
  renewDays: 0,
};

const SUPER_ADMIN = kubeconfigAt('super-admin');

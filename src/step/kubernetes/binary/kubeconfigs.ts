import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isNode } from '../../../common/host.ts';
import { kubernetesCertificates } from '../../../common/cluster-files.ts';
import { fail } from '../../../common/errors/errors.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { endpointServer } from '../../../config/model/addresses.ts';
import { apiPort } from '../../../config/model/ports.ts';
import { certificatePath, readPair } from '../../../pki/store.ts';
import { readPrivateFile, writePrivateFile } from '../../../util/private-file.ts';
import { replacesKubeProxy } from '../../../template/kubeadm/cluster-configuration.ts';
import { kubeconfig } from '../../../template/kubernetes/kubeconfig.ts';
import type { KubeconfigName } from '../../../template/kubernetes/paths.ts';
import { bracketIPv6 } from '../../../util/address.ts';
import { findingOf } from '../../contract/finding.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { inHostFolder } from './certificates.ts';

/** Creates the kubeconfigs of all components on this machine, for each host. */
export const makeKubeconfigs = (cluster: Cluster, folder: string): Step =>
  defineStep({
    name: 'kubernetes.kubeconfigs',
    summary: 'Create the kubeconfigs of all hosts',
    parts: () =>
      cluster.hosts.flatMap((host) => [
        ...kubeconfigsOf(cluster, host).map((name) => kubeconfigFile(cluster, host, name, folder)),
        ...(cluster.firstMaster === host.name ? [withoutSuperAdmin(folder, host.name)] : []),
      ]),
  });

/** The kubeconfigs that a host needs. */
export const kubeconfigsOf = (cluster: Cluster, host: ClusterHost): readonly StoredKubeconfig[] => [
  ...(host.roles.includes('master') ? (['admin', 'controller-manager', 'scheduler'] as const) : []),
  ...(isNode(host) && !replacesKubeProxy(cluster) ? (['kube-proxy'] as const) : []),
];

/** The kubeconfigs that this machine keeps. */
type StoredKubeconfig = Exclude<KubeconfigName, 'super-admin'>;

/** Removes the super-admin credentials that earlier versions kept: they bypass RBAC and cannot be revoked. */
function withoutSuperAdmin(folder: string, host: string): GenericStep {
  const paths = ['conf', 'crt', 'key'].map((type) =>
    join(kubernetesCertificates(folder), inHostFolder(host, `super-admin.${type}`)),
  );
  return Object.freeze<GenericStep>({
    key: `local-file:${host}/super-admin.conf`,
    summary: `remove ${paths[0]}`,
    async precheck() {
      const found = await Promise.all(paths.map((path) => readPrivateFile(path)));
      return findingOf(found.every((each) => each === undefined) ? [] : ['exists and bypasses RBAC']);
    },
    run: async () => void (await Promise.all(paths.map((path) => rm(path, { force: true })))),
  });
}

/** The local path of a kubeconfig of a host. */
export const localKubeconfig = (folder: string, host: string, name: StoredKubeconfig): string =>
  join(kubernetesCertificates(folder), inHostFolder(host, `${name}.conf`));

function kubeconfigFile(cluster: Cluster, host: ClusterHost, name: StoredKubeconfig, folder: string): GenericStep {
  const path = localKubeconfig(folder, host.name, name);
  return Object.freeze<GenericStep>({
    key: `local-file:${basename(dirname(path))}/${basename(path)}`,
    summary: `write ${path}`,
    async precheck() {
      const [wanted, found] = await Promise.all([textOf(cluster, host, name, folder), readPrivateFile(path)]);
      if (wanted === undefined) return findingOf(['its certificate does not exist yet']);
      return findingOf(found === wanted ? [] : [found === undefined ? 'does not exist' : 'differs']);
    },
    async run() {
      const wanted = await textOf(cluster, host, name, folder);
      if (wanted === undefined)
        throw fail('FILE_NOT_FOUND', {
          path: certificatePath(kubernetesCertificates(folder), inHostFolder(host.name, name)),
        });
      await writePrivateFile(path, wanted);
    },
  });
}

async function textOf(cluster: Cluster, host: ClusterHost, name: StoredKubeconfig, folder: string) {
  const path = kubernetesCertificates(folder);
  const [ca, own] = await Promise.all([readPair(path, 'ca'), readPair(path, inHostFolder(host.name, name))]);
  if (ca.certificate === undefined || own.certificate === undefined || own.key === undefined) return undefined;
  return kubeconfig({
    cluster: cluster.name,
    server: serverFor(cluster, host, name),
    ca: ca.certificate,
    user: USERS[name],
    credentials: { type: 'certificate', certificate: own.certificate, key: own.key },
  });
}

const USERS: Readonly<Record<StoredKubeconfig, string>> = {
  admin: 'kubernetes-admin',
  'controller-manager': 'system:kube-controller-manager',
  scheduler: 'system:kube-scheduler',
  'kube-proxy': 'system:kube-proxy',
};

/** Control plane components use their local API server; all others use the endpoint. */
function serverFor(cluster: Cluster, host: ClusterHost, name: StoredKubeconfig): string {
  switch (name) {
    case 'controller-manager':
    case 'scheduler':
      return ownApiServer(cluster, host);
    case 'admin':
    case 'kube-proxy':
      return endpointServer(cluster);
  }
}

/** The URL of the API server on a master. */
export const ownApiServer = (cluster: Cluster, { internalAddresses: [address] }: ClusterHost): string =>
  `https://${bracketIPv6(address)}:${apiPort(cluster)}`;

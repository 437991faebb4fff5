import { kubernetesCertificates } from '../../../common/cluster-files.ts';
import { certificatePath, keyPath } from '../../../pki/store.ts';
import { certificateAt, keyAt, kubeconfigAt, SERVICE_ACCOUNT } from '../../../template/kubernetes/paths.ts';
import { uploadedLocalFile } from '../../common/uploaded-local-file.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { inHostFolder } from './certificates.ts';
import { localKubeconfig } from './kubeconfigs.ts';
import { serviceAccountFiles } from './service-account-key.ts';

/** A master has the authorities and the certificates of its parts, where kubeadm would put them. */
export const uploadMasterFiles = (folder: string): Step =>
  defineStep({
    name: 'kubernetes.master-files',
    summary: 'Give the master its certificates and kubeconfigs',
    reversible: true,
    parts: ({ host }) => [
      ...authorities(folder),
      ...certificates(folder, host.name),
      ...kubeconfigs(folder, host.name),
    ],
  });

/** A node that is no master only has to know whom to trust. */
export const uploadWorkerFiles = (folder: string): Step =>
  defineStep({
    name: 'kubernetes.worker-files',
    summary: 'Give the node the certificate of the authority',
    reversible: true,
    parts: () => [authorityCertificate(folder, 'ca')],
  });

/** The kubelet has a certificate by which API servers know it from others. */
export const uploadKubeletCertificate = (folder: string): Step =>
  defineStep({
    name: 'kubelet.certificate',
    summary: 'Give the kubelet the certificate that it serves with',
    reversible: true,
    parts: ({ host }) => certificate(folder, host.name, 'kubelet'),
  });

const authorities = (folder: string): readonly GenericStep[] => {
  const own = serviceAccountFiles(kubernetesCertificates(folder));
  return [
    ...['ca', 'front-proxy-ca'].flatMap((name) => [
      authorityCertificate(folder, name),
      secret(keyPath(kubernetesCertificates(folder), name), keyAt(name)),
    ]),
    secret(own.privateKey, SERVICE_ACCOUNT.privateKey),
    uploadedLocalFile({ localPath: own.publicKey, path: SERVICE_ACCOUNT.publicKey }),
  ];
};

const authorityCertificate = (folder: string, name: string): GenericStep =>
  uploadedLocalFile({ localPath: certificatePath(kubernetesCertificates(folder), name), path: certificateAt(name) });

const certificates = (folder: string, host: string): readonly GenericStep[] =>
  ['apiserver', 'apiserver-kubelet-client', 'front-proxy-client'].flatMap((name) => certificate(folder, host, name));

/** One that was made for this host alone, and its key. */
const certificate = (folder: string, host: string, name: string): readonly GenericStep[] => [
  uploadedLocalFile({
    localPath: certificatePath(kubernetesCertificates(folder), inHostFolder(host, name)),
    path: certificateAt(name),
  }),
  secret(keyPath(kubernetesCertificates(folder), inHostFolder(host, name)), keyAt(name)),
];

const kubeconfigs = (folder: string, host: string): readonly GenericStep[] =>
  (['admin', 'controller-manager', 'scheduler'] as const).map((name) =>
    secret(localKubeconfig(folder, host, name), kubeconfigAt(name)),
  );

const secret = (localPath: string, path: string): GenericStep => uploadedLocalFile({ localPath, path, mode: 0o600 });

import { kubernetesCertificates } from '../../../common/cluster-files.ts';
import { certificatePath, keyPath } from '../../../pki/store.ts';
import { certificateAt, keyAt, kubeconfigAt, SERVICE_ACCOUNT } from '../../../template/kubernetes/paths.ts';
import { sh } from '../../../runner/command.ts';
import { findingOf } from '../../contract/finding.ts';
import { uploadedLocalFile } from '../../common/uploaded-local-file.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { inHostFolder } from './certificates.ts';
import { localKubeconfig } from './kubeconfigs.ts';
import { serviceAccountFiles } from './service-account-key.ts';

/** Uploads the CAs, certificates and kubeconfigs of the control plane to the same paths as kubeadm. */
export const uploadMasterFiles = (folder: string): Step =>
  defineStep({
    name: 'kubernetes.master-files',
    summary: 'Upload the certificates and kubeconfigs of the master',
    reversible: true,
    parts: ({ host }) => [...caFiles(folder), ...certificates(folder, host.name), ...kubeconfigs(folder, host.name)],
  });

/** Uploads the CA certificate, the only file that a worker needs. */
export const uploadWorkerFiles = (folder: string): Step =>
  defineStep({
    name: 'kubernetes.worker-files',
    summary: 'Upload the CA certificate',
    reversible: true,
    parts: () => [caCertificate(folder, 'ca')],
  });

/** Uploads a kubelet serving certificate that API servers can verify. */
export const uploadKubeletCertificate = (folder: string): Step =>
  defineStep({
    name: 'kubelet.certificate',
    summary: 'Upload the serving certificate of the kubelet',
    reversible: true,
    parts: ({ host }) => certificate(folder, host.name, 'kubelet'),
  });

const caFiles = (folder: string): readonly GenericStep[] => {
  const serviceAccount = serviceAccountFiles(kubernetesCertificates(folder));
  return [
    caCertificate(folder, 'ca'),
    // kube-controller-manager signs certificates of kubelets with it.
    secret(keyPath(kubernetesCertificates(folder), 'ca'), keyAt('ca')),
    caCertificate(folder, 'front-proxy-ca'),
    noLongerUploaded(keyAt('front-proxy-ca')),
    secret(serviceAccount.privateKey, SERVICE_ACCOUNT.privateKey),
    uploadedLocalFile({ localPath: serviceAccount.publicKey, path: SERVICE_ACCOUNT.publicKey }),
  ];
};

/** Removes a key that earlier versions uploaded but no component on the host uses. Undo is that of the upload. */
const noLongerUploaded = (path: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: `uploaded:${path}`,
    summary: `remove ${path}`,
    precheck: async ({ runner }) =>
      findingOf((await runner.stat(path)) ? ['exists, but is not used on this host'] : []),
    run: async ({ runner }) => void (await runner.run(sh`rm -f -- ${path}`)),
  });

const caCertificate = (folder: string, name: string): GenericStep =>
  uploadedLocalFile({ localPath: certificatePath(kubernetesCertificates(folder), name), path: certificateAt(name) });

const certificates = (folder: string, host: string): readonly GenericStep[] =>
  ['apiserver', 'apiserver-kubelet-client', 'front-proxy-client'].flatMap((name) => certificate(folder, host, name));

/** A certificate of this host, and its key. */
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

import { expandHome } from '../../common/home.ts';
import type { ExternalEtcd } from '../../config/model/cluster.ts';
import { certificatePath, keyPath } from '../../pki/store.ts';
import { ETCD_CLIENT } from '../../template/etcd/access.ts';
import { uploadedLocalFile } from '../common/uploaded-local-file.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { CA, etcdCertificates, API_SERVER_CLIENT } from './certificates.ts';

/** The local files that API servers authenticate to etcd with. */
export interface ClientFiles {
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** The client files of an etcd that kubexm installs. */
export const managedClientFiles = (folder: string): ClientFiles => ({
  ca: certificatePath(etcdCertificates(folder), CA),
  certificate: certificatePath(etcdCertificates(folder), API_SERVER_CLIENT),
  key: keyPath(etcdCertificates(folder), API_SERVER_CLIENT),
});

/** The client files of an external etcd; undefined if the cluster file names none. */
export function externalClientFiles({ caFile, certFile, keyFile }: ExternalEtcd): ClientFiles | undefined {
  const files = { ca: localPath(caFile), certificate: localPath(certFile), key: localPath(keyFile) };
  return Object.values(files).some((path) => path !== undefined) ? files : undefined;
}

const localPath = (path: string | undefined) => (path === undefined ? undefined : expandHome(path));

/** Uploads the CA, certificate and key that the API server uses to connect to etcd. */
export const uploadClientFiles = (files: ClientFiles): Step =>
  defineStep({
    name: 'etcd.clients',
    summary: 'Upload the etcd client certificate',
    reversible: true,
    parts: () => partsOf(files),
  });

const partsOf = ({ ca, certificate, key }: ClientFiles): readonly GenericStep[] => [
  ...(ca === undefined ? [] : [uploadedLocalFile({ localPath: ca, path: ETCD_CLIENT.ca })]),
  ...(certificate === undefined ? [] : [uploadedLocalFile({ localPath: certificate, path: ETCD_CLIENT.certificate })]),
  ...(key === undefined ? [] : [uploadedLocalFile({ localPath: key, path: ETCD_CLIENT.key, mode: 0o600 })]),
];

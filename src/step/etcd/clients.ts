import { certificatePath, keyPath } from '../../pki/store.ts';
import { ETCD_CLIENT } from '../../template/etcd/access.ts';
import { sent } from '../common/sent.ts';
import { defineStep, type GenericStep, type Step } from '../contract/step.ts';
import { AUTHORITY, certificatesFolder, CLIENT } from './certificates.ts';

/** Files of this machine that API servers reach etcd with; what is undefined they do without. */
export interface ClientFiles {
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** Those of our own etcd. */
export const ownClientFiles = (folder: string): ClientFiles => ({
  ca: certificatePath(certificatesFolder(folder), AUTHORITY),
  certificate: certificatePath(certificatesFolder(folder), CLIENT),
  key: keyPath(certificatesFolder(folder), CLIENT),
});

/** A master has what its API server reaches etcd with. */
export const sendClientFiles = (files: ClientFiles): Step =>
  defineStep({
    name: 'etcd.clients',
    summary: 'Give the master a certificate for etcd',
    reversible: true,
    parts: () => partsOf(files),
    everParts: () => partsOf({ ca: '', certificate: '', key: '' }),
  });

const partsOf = ({ ca, certificate, key }: ClientFiles): readonly GenericStep[] => [
  ...(ca === undefined ? [] : [sent({ localPath: ca, path: ETCD_CLIENT.ca })]),
  ...(certificate === undefined ? [] : [sent({ localPath: certificate, path: ETCD_CLIENT.certificate })]),
  ...(key === undefined ? [] : [sent({ localPath: key, path: ETCD_CLIENT.key, mode: 0o600 })]),
];

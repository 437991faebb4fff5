import { basename } from 'node:path';
import type { Secret } from '../common/secret.ts';
import type { Cluster } from '../config/model/cluster.ts';
import type { FileItem, ImageItem } from './item.ts';
import type { RegistryCredentials } from './oci/authenticate.ts';

/** The files and images required to install a cluster, and how to obtain them. */
export interface Assets {
  /** Every file of the components being installed, for all architectures. */
  readonly files: readonly FileItem[];
  /** Every image of the components being installed. */
  readonly images: readonly ImageItem[];
  /** The files and images to download to this machine, for the architectures of the hosts. */
  readonly downloads: Downloads;
  readonly artifacts: Cluster['artifacts'];
  /** Registry credentials by registry host. */
  readonly credentials: Readonly<Record<string, RegistryCredentials>>;
  /** BGP passwords of kube-vip by router address. */
  readonly bgpPasswords?: Readonly<Record<string, Secret>>;
  /** The cluster directory on this machine. */
  readonly folder: string;
  /** Whether to use only artifacts in the local cache. */
  readonly offline: boolean;
}

/** Returns the name of the cluster that the assets belong to. */
export const clusterOf = ({ folder }: Pick<Assets, 'folder'>): string => basename(folder);

/** Files and images to download to this machine. */
export type Downloads = Pick<Assets, 'files' | 'images'>;

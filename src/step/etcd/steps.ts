import type { Cluster, ManagedEtcd } from '../../config/model/cluster.ts';
import type { Programs } from '../transfer/install-program.ts';
import { reverse } from '../contract/reverse.ts';
import { clearStaging } from '../transfer/staging.ts';
import type { Step } from '../contract/step.ts';
import { etcdData } from './data.ts';
import { installEtcd } from './install.ts';
import { serveEtcd } from './serve.ts';

/** What members are made from. */
export interface EtcdAssets extends Programs {
  /** The folder of the cluster. */
  readonly folder: string;
}

/** What makes a host a member, in order. */
export const memberSteps = (cluster: Cluster, etcd: ManagedEtcd, assets: EtcdAssets): readonly Step[] => [
  installEtcd(assets),
  etcdData(etcd.dataDir),
  serveEtcd({ cluster, etcd, version: versionOf(assets), folder: assets.folder }),
  clearStaging,
];

const versionOf = ({ files }: Programs) => files.find(({ name }) => name === 'etcd')?.version ?? '';

/** All that was done to the host, the last first; its data stays if it is to be kept. */
export const memberStepsToUndo = (
  cluster: Cluster,
  etcd: ManagedEtcd,
  { preserveData }: { readonly preserveData: boolean },
): readonly Step[] =>
  [
    serveEtcd({ cluster, etcd, version: NO_VERSION, folder: '' }),
    ...(preserveData ? [] : [etcdData(etcd.dataDir)]),
    installEtcd(),
  ].map(reverse);

/** What was written is kept on the host: it is only undone. */
const NO_VERSION = '0.0.0';

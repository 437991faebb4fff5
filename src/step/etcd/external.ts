import type { Cluster, ExternalEtcd } from '../../config/model/cluster.ts';
import { etcdAccess } from '../../template/etcd/access.ts';
import { expandHome } from '../../common/home.ts';
import type { Step } from '../contract/step.ts';
import { sendClientFiles } from './clients.ts';
import { reachEtcd } from './reach.ts';

/** What lets a master reach an etcd of the user, with the files that the user names. */
export function externalSteps(cluster: Cluster, { caFile, certFile, keyFile }: ExternalEtcd): readonly Step[] {
  const access = etcdAccess(cluster);
  if (!access) return [];
  const files = { ca: here(caFile), certificate: here(certFile), key: here(keyFile) };
  const given = Object.values(files).some((path) => path !== undefined);
  return [...(given ? [sendClientFiles(files)] : []), reachEtcd(access)];
}

const here = (path: string | undefined) => (path === undefined ? undefined : expandHome(path));

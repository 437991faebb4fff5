import type { Assets } from '../../resource/assets.ts';
import type { Cluster, ClusterHost, ManagedEtcd } from '../../config/model/cluster.ts';
import { certificatePath, keyPath } from '../../pki/store.ts';
import { ETCD, ETCD_CLIENT } from '../../template/etcd/access.ts';
import type { EtcdMember } from '../../template/etcd/environment.ts';
import { etcdUnit } from '../../template/etcd/unit.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { startingService } from '../common/starting-service.ts';
import { file } from '../common/file.ts';
import { recordedService } from '../common/recorded-service.ts';
import { uploadedLocalFile } from '../common/uploaded-local-file.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { memberEnvironment } from './member-environment.ts';
import {
  adminCertificate,
  CA,
  etcdCertificates,
  memberCertificate,
  pathsOnHost,
  peerCertificate,
} from './certificates.ts';

/** The settings that members are configured from. */
export interface EtcdSettings {
  readonly cluster: Cluster;
  readonly etcd: ManagedEtcd;
  readonly assets: Assets;
  /** The host of a member of a running etcd that the member joins; undefined if it starts a new etcd. */
  readonly through?: string;
}

/** Configures and starts a member. It becomes ready only when its peers have started, too. */
export const serveEtcd = (settings: EtcdSettings): Step =>
  defineStep({
    name: 'etcd.serve',
    summary: 'Configure and start etcd',
    reversible: true,
    parts: ({ host }) => {
      const member = clusterHost(settings.cluster, host);
      const changes = [
        ...certificateFiles(settings, member),
        memberEnvironment({ member: memberFor(settings, member), through: settings.through }),
        file({ path: ETCD.unitFile, content: unitOf(settings.etcd) }),
        startingService({ unit: ETCD.unit }),
      ];
      return [recordedService({ unit: ETCD.unit, changes }), ...changes];
    },
  });

function certificateFiles({ assets: { folder } }: EtcdSettings, { name }: ClusterHost): readonly GenericStep[] {
  const local = etcdCertificates(folder);
  const pair = (certificate: string, owner: string) => [
    uploadedLocalFile({ localPath: certificatePath(local, certificate), path: pathsOnHost(certificate).certificate }),
    uploadedLocalFile({
      localPath: keyPath(local, certificate),
      path: pathsOnHost(certificate).key,
      mode: 0o600,
      owner,
    }),
  ];
  return [
    uploadedLocalFile({ localPath: certificatePath(local, CA), path: ETCD_CLIENT.ca }),
    ...pair(memberCertificate(name), `${ETCD.user}:${ETCD.user}`),
    ...pair(peerCertificate(name), `${ETCD.user}:${ETCD.user}`),
    ...pair(adminCertificate(name), 'root:root'),
  ];
}

function memberFor({ cluster, etcd, assets }: EtcdSettings, host: ClusterHost): EtcdMember {
  const { certificate, key } = pathsOnHost(memberCertificate(host.name));
  const peer = pathsOnHost(peerCertificate(host.name));
  return {
    etcd,
    version: assets.files.find(({ name }) => name === 'etcd')?.version ?? '',
    host,
    members: cluster.hosts.filter(({ roles }) => roles.includes('etcd')),
    token: cluster.name,
    state: 'new',
    files: { ca: ETCD_CLIENT.ca, certificate, key, peerCertificate: peer.certificate, peerKey: peer.key },
  };
}

const unitOf = ({ dataDir }: ManagedEtcd) =>
  etcdUnit({ binary: `${ETCD.programs}/etcd`, environment: ETCD.environment, dataDir, user: ETCD.user });

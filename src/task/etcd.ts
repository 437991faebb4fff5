import type { ExternalEtcd, ManagedEtcd } from '../config/model/cluster.ts';
import { chain, empty, on, sequence } from '../plan/fragment.ts';
import { addMember, promoteMember } from '../step/etcd/add-member.ts';
import { makeEtcdCertificates } from '../step/etcd/certificates.ts';
import { externalClientFiles, managedClientFiles, uploadClientFiles } from '../step/etcd/client-files.ts';
import { etcdData } from '../step/etcd/data.ts';
import { installEtcdProgram } from '../step/etcd/install.ts';
import { verifyEtcdEndpoints } from '../step/etcd/verify-endpoints.ts';
import { verifyMembers } from '../step/etcd/verify-members.ts';
import { serveEtcd } from '../step/etcd/serve.ts';
import { ensureHealthyMember } from '../step/etcd/healthy-member.ts';
import { clearStaging } from '../step/transfer/staging.ts';
import { undo } from '../step/undo/undo.ts';
import { defineTask } from './task.ts';

export const generateEtcdPki = defineTask({
  name: 'generate-etcd-pki',
  title: 'Generate the etcd certificates',
  plan: ({ cluster, assets, local }) => on(local, makeEtcdCertificates(cluster, assets.folder)),
});

export const installEtcd = defineTask<ManagedEtcd>({
  name: 'install-etcd',
  title: 'Install etcd',
  plan: ({ cluster, assets, hosts }, etcd) => {
    const members = hosts.withRole('etcd');
    return sequence(
      chain(members, [
        installEtcdProgram(assets),
        etcdData(etcd.dataDir),
        serveEtcd({ cluster, etcd, assets }),
        clearStaging,
      ]),
      // One member at a time, so that restarts never lose quorum.
      ...members.map((member) => on(member, ensureHealthyMember)),
      on(hosts.withRole('master'), uploadClientFiles(managedClientFiles(assets.folder))),
    );
  },
});

/** The etcd of a running cluster, and the host of a member through which others join. */
export interface AddEtcdMembersInput {
  readonly etcd: ManagedEtcd;
  readonly through: string;
}

/** Each member joins as a learner and is promoted before the next one: an added member that never starts costs quorum. */
export const addEtcdMembers = defineTask<AddEtcdMembersInput>({
  name: 'add-etcd-members',
  title: 'Add etcd members, one after another',
  plan: ({ cluster, assets, hosts }, { etcd, through }) => {
    const members = hosts.withRole('etcd').filter(({ name }) => name !== through);
    return sequence(
      chain(members, [installEtcdProgram(assets), etcdData(etcd.dataDir)]),
      ...members.map((member) =>
        chain(member, [
          addMember({ cluster, etcd, through }),
          serveEtcd({ cluster, etcd, assets, through }),
          promoteMember({ cluster, etcd, through }),
          ensureHealthyMember,
        ]),
      ),
      on(members, clearStaging),
      on(
        hosts.all.filter(({ name }) => name === through),
        verifyMembers(cluster, members),
      ),
    );
  },
});

/** For masters that join; the others have it. */
export const uploadEtcdClient = defineTask({
  name: 'upload-etcd-client',
  title: 'Upload the etcd client certificate to the new masters',
  plan: ({ assets, hosts }) => on(hosts.withRole('master'), uploadClientFiles(managedClientFiles(assets.folder))),
});

export const connectEtcd = defineTask<ExternalEtcd>({
  name: 'connect-etcd',
  title: 'Connect the masters to the external etcd',
  plan: ({ cluster, hosts }, etcd) => {
    const files = externalClientFiles(etcd);
    return chain(hosts.withRole('master'), [
      ...(files ? [uploadClientFiles(files)] : []),
      verifyEtcdEndpoints(cluster),
    ]);
  },
});

/** Which etcd to remove, and whether its data is kept. */
export interface UninstallEtcdInput {
  readonly etcd: ManagedEtcd | ExternalEtcd;
  readonly preserveData: boolean;
}

export const uninstallEtcd = defineTask<UninstallEtcdInput>({
  name: 'uninstall-etcd',
  title: 'Uninstall etcd',
  plan: ({ hosts }, { etcd, preserveData }) =>
    sequence(
      on(hosts.withRole('master'), undo('etcd.clients', 'Remove the etcd client certificate')),
      etcd.type === 'kubexm'
        ? chain(hosts.withRole('etcd'), [
            undo('etcd.serve', 'Stop etcd and remove its configuration'),
            ...(preserveData ? [] : [undo('etcd.data', 'Remove the etcd data')]),
            undo('etcd.install', 'Remove the etcd binaries'),
          ])
        : empty,
    ),
});

import { stat } from 'node:fs/promises';
import { stringify } from 'yaml';
import { kubernetesCertificates } from '../../common/cluster-files.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { readPair } from '../../pki/store.ts';
import { readPrivateFile } from '../../util/private-file.ts';
import { bracketIPv6 } from '../../util/address.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { ADMIN_CONF } from '../kubernetes-object/kubectl.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { adminCredentials, type AdminCredentials } from './admin-credentials.ts';
import { inHostFolder } from './binary/certificates.ts';

export interface KubeconfigOptions {
  /** The local path to write to. */
  readonly path: string;
  /** The local folder of the cluster. */
  readonly folder: string;
  readonly first: Host;
}

/** The first master has an admin kubeconfig. Connects to the master, because the download runs on this machine. */
export const checkAdminKubeconfig: Step = defineStep({
  name: 'kubeconfig.check',
  summary: 'Check the admin kubeconfig on the first master',
  parts: () => [adminKubeconfig],
});

const adminKubeconfig: GenericStep = Object.freeze<GenericStep>({
  key: 'check:admin-kubeconfig',
  summary: `check ${ADMIN_CONF}`,
  precheck: async ({ runner }) => findingOf((await runner.stat(ADMIN_CONF)) ? [] : ['does not exist']),
  async run({ runner, host }) {
    if (!(await runner.stat(ADMIN_CONF))) throw fail('CONTROL_PLANE_MISSING', { host: host.name, path: ADMIN_CONF });
  },
});

/** This machine has the admin kubeconfig of the cluster (KB5). */
export const downloadKubeconfig = (cluster: Cluster, options: KubeconfigOptions): Step =>
  defineStep({
    name: 'kubeconfig.fetch',
    summary: 'Download the admin kubeconfig',
    parts: () => [downloaded(cluster, options)],
  });

function downloaded(cluster: Cluster, options: KubeconfigOptions): GenericStep {
  const { path, first } = options;
  const wanted = async (ctx: StepContext) =>
    localAdminKubeconfig(await credentialsFor(ctx, cluster, options), cluster, first);
  return Object.freeze<GenericStep>({
    key: 'local-file:kubeconfig',
    summary: `write ${path}`,
    async precheck(ctx) {
      const [content, found, mode] = await Promise.all([wanted(ctx), readPrivateFile(path), modeAt(path)]);
      if (found === undefined) return findingOf(['does not exist']);
      return findingOf([
        ...(found === content ? [] : ['differs']),
        ...(mode === 0o600 ? [] : ['is readable by other users']),
      ]);
    },
    run: async (ctx) => writeFileAtomically(path, await wanted(ctx), 0o600),
  });
}

const modeAt = async (path: string) => ((await stat(path).catch(() => undefined))?.mode ?? 0) & 0o777;

/** In binary mode, the credentials that this machine issued; otherwise those on the first master. */
async function credentialsFor(ctx: StepContext, cluster: Cluster, options: KubeconfigOptions) {
  const { folder, path, first } = options;
  const own = cluster.kubernetes.type === 'kubexm' ? await issuedCredentials(folder, first) : undefined;
  if (own?.certificate !== undefined && own.key !== undefined && own.ca !== undefined)
    return { ca: own.ca, certificate: own.certificate, key: own.key };
  const text = await ctx.on(first).read(ADMIN_CONF);
  if (text === undefined) throw fail('CONTROL_PLANE_MISSING', { host: first.name, path: ADMIN_CONF });
  const knownCa = own?.ca ?? (await caOfKubeconfig(path));
  return adminCredentials({ text, host: first.name, path: ADMIN_CONF, knownCa });
}

async function issuedCredentials(folder: string, first: Host) {
  const certificates = kubernetesCertificates(folder);
  const [ca, admin] = await Promise.all(
    ['ca', inHostFolder(first.name, 'admin')].map((name) => readPair(certificates, name)),
  );
  return { ca: ca?.certificate, certificate: admin?.certificate, key: admin?.key };
}

/** The CA in a kubeconfig that an earlier run wrote; undefined if there is none. */
async function caOfKubeconfig(path: string): Promise<string | undefined> {
  const data = /^\s*certificate-authority-data: (\S+)$/m.exec((await readPrivateFile(path)) ?? '')?.[1];
  return data === undefined ? undefined : Buffer.from(data, 'base64').toString();
}

/** The kubeconfig for this machine: its context is named after the cluster, and the address is reachable from here. */
export function localAdminKubeconfig(credentials: AdminCredentials, cluster: Cluster, first: Host): string {
  const { name } = cluster;
  const user = `${name}-admin`;
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [
        {
          name,
          cluster: {
            'certificate-authority-data': base64(credentials.ca),
            server: `https://${externalAddress(cluster, first)}`,
          },
        },
      ],
      contexts: [{ name, context: { cluster: name, user } }],
      users: [
        {
          name: user,
          user: {
            'client-certificate-data': base64(credentials.certificate),
            'client-key-data': base64(credentials.key.reveal()),
          },
        },
      ],
    },
    { lineWidth: 0 },
  );
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The load balancer if there is one, otherwise the first master. The API server certificate covers all of these. */
function externalAddress(cluster: Cluster, first: Host): string {
  const { external, internal, domain, port, externalDNS } = cluster.endpoint;
  if (externalDNS) return `${domain}:${port}`;
  if (external.type !== 'none' && external.address !== undefined) return `${bracketIPv6(external.address)}:${port}`;
  if (internal.type === 'kube-vip') return `${bracketIPv6(internal.address)}:${port}`;
  return `${bracketIPv6(clusterHost(cluster, first).login.address)}:${apiPort(cluster)}`;
}

import { readFile, stat } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { bracketIPv6 } from '../../util/address.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { ADMIN_CONF } from '../kubernetes-object/kubectl.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

export interface KubeconfigOptions {
  /** The local path to write to. */
  readonly path: string;
  readonly first: Host;
}

/** This machine has the admin kubeconfig of the cluster (KB5). */
export const downloadKubeconfig = (cluster: Cluster, options: KubeconfigOptions): Step =>
  defineStep({
    name: 'kubeconfig.fetch',
    summary: 'Download the admin kubeconfig',
    parts: () => [downloaded(cluster, options)],
  });

function downloaded(cluster: Cluster, { path, first }: KubeconfigOptions): GenericStep {
  const wanted = async (ctx: StepContext) => {
    const text = await ctx.on(first).read(ADMIN_CONF);
    if (text === undefined) throw fail('CONTROL_PLANE_MISSING', { host: first.name, path: ADMIN_CONF });
    return localAdminKubeconfig(text, cluster, first);
  };
  return Object.freeze<GenericStep>({
    key: 'local-file:kubeconfig',
    summary: `write ${path}`,
    async precheck(ctx) {
      const [content, found, mode] = await Promise.all([wanted(ctx), textAt(path), modeAt(path)]);
      if (found === undefined) return findingOf(['does not exist']);
      return findingOf([
        ...(found === content ? [] : ['differs']),
        ...(mode === 0o600 ? [] : ['is readable by other users']),
      ]);
    },
    run: async (ctx) => writeFileAtomically(path, await wanted(ctx), 0o600),
  });
}

const textAt = (path: string) => readFile(path, 'utf8').catch(() => undefined);
const modeAt = async (path: string) => ((await stat(path).catch(() => undefined))?.mode ?? 0) & 0o777;

/** Adapts admin.conf for this machine: names the context after the cluster, and uses an address reachable from here. */
export function localAdminKubeconfig(text: string, cluster: Cluster, first: Host): string {
  const config: AdminConf = parse(text);
  const { name } = cluster;
  const server = `https://${externalAddress(cluster, first)}`;
  const user = `${name}-admin`;
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: config.clusters.map((each) => ({ name, cluster: { ...each.cluster, server } })),
      contexts: [{ name, context: { cluster: name, user } }],
      users: config.users.map((each) => ({ name: user, user: each.user })),
    },
    { lineWidth: 0 },
  );
}

interface AdminConf {
  readonly clusters: readonly { readonly cluster: object }[];
  readonly users: readonly { readonly user: object }[];
}

/** The load balancer if there is one, otherwise the first master. The API server certificate covers all of these. */
function externalAddress(cluster: Cluster, first: Host): string {
  const { external, internal, domain, port, externalDNS } = cluster.endpoint;
  if (externalDNS) return `${domain}:${port}`;
  if (external.type !== 'none' && external.address !== undefined) return `${bracketIPv6(external.address)}:${port}`;
  if (internal.type === 'kube-vip') return `${bracketIPv6(internal.address)}:${port}`;
  return `${bracketIPv6(clusterHost(cluster, first).login.address)}:${apiPort(cluster)}`;
}

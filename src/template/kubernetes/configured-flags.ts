import type { Cluster } from '../../config/model/cluster.ts';
import { apiserverFlags } from './apiserver-files.ts';

type Flags = Readonly<Record<string, string>>;

/** What the file asks of API servers, beside what every cluster has; the user's own flags come over ours. */
export const configuredApiserverFlags = (cluster: Cluster, files: Flags = apiserverFlags(cluster)): Flags => ({
  ...gates(cluster),
  ...files,
  ...cluster.kubernetes.apiserver.extraArgs,
});

/** The same of controller managers. */
export function configuredControllerManagerFlags(cluster: Cluster): Flags {
  const { kubernetes, network } = cluster;
  const [four, six] = [`${kubernetes.nodeCidrMaskSize}`, `${kubernetes.nodeCidrMaskSizeIPv6}`];
  const families = network.podCidrs.map((cidr) => (cidr.includes(':') ? 6 : 4));
  const masks =
    families.length > 1
      ? { 'node-cidr-mask-size-ipv4': four, 'node-cidr-mask-size-ipv6': six }
      : { 'node-cidr-mask-size': families[0] === 6 ? six : four };
  return { ...masks, ...gates(cluster), ...kubernetes.controllerManager.extraArgs };
}

/** The same of schedulers. */
export const configuredSchedulerFlags = (cluster: Cluster): Flags => ({
  ...gates(cluster),
  ...cluster.kubernetes.scheduler.extraArgs,
});

const gates = ({ kubernetes: { featureGates } }: Cluster): Flags => {
  const list = Object.entries(featureGates).map(([name, on]) => `${name}=${on}`);
  return list.length === 0 ? {} : { 'feature-gates': list.join(',') };
};

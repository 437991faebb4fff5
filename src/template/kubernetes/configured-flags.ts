import type { Cluster } from '../../config/model/cluster.ts';
import { apiserverFlags } from './apiserver-files.ts';
import { apiserverHardening, controllerManagerHardening, schedulerHardening } from './hardening.ts';

type Flags = Readonly<Record<string, string>>;

/** API server flags from the cluster file. `extraArgs` override the others, but never replace admission plugins. */
export function configuredApiserverFlags(cluster: Cluster, files: Flags = apiserverFlags(cluster)): Flags {
  const hardening = apiserverHardening(cluster);
  const plugins = 'enable-admission-plugins';
  return {
    ...hardening,
    ...featureGateFlag(cluster),
    ...files,
    ...cluster.kubernetes.apiserver.extraArgs,
    ...(hardening[plugins] !== undefined && { [plugins]: hardening[plugins] }),
  };
}

/** Controller manager flags from the cluster file. */
export function configuredControllerManagerFlags(cluster: Cluster): Flags {
  const { kubernetes, network } = cluster;
  const [ipv4, ipv6] = [`${kubernetes.nodeCidrMaskSize}`, `${kubernetes.nodeCidrMaskSizeIPv6}`];
  const families = network.podCidrs.map((cidr) => (cidr.includes(':') ? 6 : 4));
  const masks =
    families.length > 1
      ? { 'node-cidr-mask-size-ipv4': ipv4, 'node-cidr-mask-size-ipv6': ipv6 }
      : { 'node-cidr-mask-size': families[0] === 6 ? ipv6 : ipv4 };
  return {
    ...controllerManagerHardening,
    ...masks,
    ...featureGateFlag(cluster),
    ...kubernetes.controllerManager.extraArgs,
  };
}

/** Scheduler flags from the cluster file. */
export const configuredSchedulerFlags = (cluster: Cluster): Flags => ({
  ...schedulerHardening,
  ...featureGateFlag(cluster),
  ...cluster.kubernetes.scheduler.extraArgs,
});

const featureGateFlag = ({ kubernetes: { featureGates } }: Cluster): Flags => {
  const list = Object.entries(featureGates).map(([name, on]) => `${name}=${on}`);
  return list.length === 0 ? {} : { 'feature-gates': list.join(',') };
};

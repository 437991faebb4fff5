import { z } from 'zod';
import { isIP } from 'node:net';
import { isDnsName } from '../value/address.ts';
import { KUBERNETES_TYPES } from '../data/choices.ts';
import { CONTAINER_RUNTIME_NAMES } from '../model/container-runtimes.ts';
import { DEFAULT_VERSION } from '../data/kubernetes-releases.ts';
import {
  choice,
  dataDirectory,
  dnsName,
  extraArgs,
  flag,
  formatted,
  free,
  hostPort,
  optionalToggle,
  text,
  toggle,
  url,
  version,
  whole,
} from './fields.ts';

const component = (name: string) =>
  z
    .strictObject({ extraArgs: extraArgs().describe(`Additional ${name} flags, by name without leading dashes.`) })
    .prefault({})
    .describe(`${name} settings.`);

const containerRuntime = z.strictObject({
  type: choice(CONTAINER_RUNTIME_NAMES).default('containerd').describe('Container runtime on every node.'),
  version: version()
    .optional()
    .describe('Container runtime version. Defaults to a version that is compatible with the Kubernetes version.'),
  from: choice(['release', 'packages'])
    .default('release')
    .describe(
      'Installation source for docker and cri-o: upstream release files (release), or the package repositories of the hosts (packages).',
    ),
  registryMirrors: z
    .array(formatted('a URL or host[:port]', isMirror))
    .default([])
    .describe('Docker Hub mirrors, tried in order.'),
  insecureRegistries: z.array(hostPort()).default([]).describe('Registries that use HTTP or an untrusted certificate.'),
  dataDir: dataDirectory()
    .optional()
    .describe('Directory for images and containers. Defaults to the default directory of the runtime.'),
});

export const kubernetesSchema = z.strictObject({
  type: choice(KUBERNETES_TYPES)
    .default('kubeadm')
    .describe('Installation type: kubeadm, or kubexm (binary mode: binaries with systemd units).'),
  version: version().default(DEFAULT_VERSION).describe('Kubernetes version.'),
  clusterName: dnsName().default('cluster.local').describe('Cluster DNS domain.'),
  apiserverCertExtraSans: z
    .array(formatted('an IP address or a DNS name', (san) => isIP(san) !== 0 || isDnsName(san.replace(/^\*\./, ''))))
    .default([])
    .describe('Additional DNS names and IP addresses in the API server certificate.'),
  containerRuntime: containerRuntime.prefault({}).describe('Container runtime settings.'),
  proxyMode: choice(['auto', 'nftables', 'iptables', 'ipvs'])
    .default('auto')
    .describe(
      'kube-proxy mode. auto selects nftables with Kubernetes 1.33 or newer and kernel 5.13 or newer, otherwise iptables.',
    ),
  maxPods: whole(1, 100_000).default(110).describe('Maximum number of pods on a node.'),
  podPidsLimit: whole(-1).default(10_000).describe('Maximum number of processes in a pod; -1 for no limit.'),
  nodeCidrMaskSize: whole(8, 30).default(24).describe('Prefix length of the IPv4 pod CIDR of each node.'),
  nodeCidrMaskSizeIPv6: whole(64, 126).default(120).describe('Prefix length of the IPv6 pod CIDR of each node.'),
  featureGates: z.record(z.string(), z.boolean()).default({}).describe('Feature gates of all components.'),
  masqueradeAll: flag(false).describe('Whether kube-proxy masquerades all traffic to Services.'),
  autoRenewCerts: flag(false).describe(
    'Renew certificates on the masters before they expire. Not implemented yet; has no effect.',
  ),
  nodelocaldns: toggle().describe('Run NodeLocal DNSCache on every node.'),
  audit: optionalToggle()
    .optional()
    .describe('Write an API server audit log. Defaults to true with security.profile cis.'),
  encryptionAtRest: optionalToggle()
    .optional()
    .describe('Encrypt Secrets in etcd. Defaults to true with security.profile cis. Cannot be disabled later.'),
  kata: toggle().describe('Install the Kata Containers runtime class.'),
  nodeFeatureDiscovery: toggle().describe(
    'Install Node Feature Discovery, which labels nodes with their hardware features.',
  ),
  apiserver: component('kube-apiserver'),
  controllerManager: component('kube-controller-manager'),
  scheduler: component('kube-scheduler'),
  kubelet: component('kubelet'),
  kubeProxy: component('kube-proxy'),
  kubeletConfiguration: free().describe('KubeletConfiguration fields that override the defaults.'),
  kubeProxyConfiguration: free().describe('KubeProxyConfiguration fields that override the defaults.'),
  patches: text().optional().describe('Folder with kubeadm patches on this machine.'),
  ignorePreflightErrors: z
    .array(formatted('the name of a kubeadm preflight check', (name) => /^[A-Za-z][\w.-]*$/.test(name)))
    .default([])
    .describe('kubeadm preflight checks whose errors are ignored, such as SystemVerification and NumCPU.'),
});

function isMirror(value: string): boolean {
  return url().safeParse(value).success || hostPort().safeParse(value).success;
}

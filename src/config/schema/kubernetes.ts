import { z } from 'zod';
import { isIP } from 'node:net';
import { isDnsName } from '../value/dns-name.ts';
import { DEFAULT_VERSION } from '../data/kubernetes-releases.ts';
import { absolutePath, choice, dnsName, extraArgs, flag, formatted, free, hostPort, text, toggle, url, version, whole } from './fields.ts';

const component = (name: string) =>
  z
    .strictObject({ extraArgs: extraArgs().describe(`More flags of ${name}: name without dashes and value.`) })
    .prefault({})
    .describe(`Settings of ${name}.`);

const containerRuntime = z.strictObject({
  type: choice(['containerd', 'docker', 'cri-o', 'isulad']).default('containerd').describe('Container runtime on every node.'),
  version: version().optional().describe('Its version; by default one that suits the Kubernetes version.'),
  from: choice(['release', 'packages'])
    .default('release')
    .describe('Where docker and cri-o come from: the files of their makers, or the package repositories of the hosts.'),
  registryMirrors: z.array(formatted('a URL or host[:port]', isMirror)).default([]).describe('Mirrors of Docker Hub, tried in order.'),
  insecureRegistries: z.array(hostPort()).default([]).describe('Registries without a certificate that can be checked.'),
  dataDir: absolutePath().optional().describe('Where images and containers are kept; by default where the runtime keeps them.'),
});

/** The Kubernetes that is installed. */
export const kubernetesSchema = z.strictObject({
  type: choice(['kubeadm', 'kubexm']).default('kubeadm').describe('How it is deployed: by kubeadm, or as plain binaries under systemd (kubexm).'),
  version: version().default(DEFAULT_VERSION).describe('Kubernetes version, any patch of a known minor.'),
  clusterName: dnsName().default('cluster.local').describe('DNS domain of the cluster.'),
  apiserverCertExtraSans: z
    .array(formatted('an IP address or a DNS name', (san) => isIP(san) !== 0 || isDnsName(san.replace(/^\*\./, ''))))
    .default([])
    .describe('More names and addresses in the certificate of the API servers.'),
  containerRuntime: containerRuntime.prefault({}).describe('Container runtime on every node.'),
  proxyMode: choice(['auto', 'nftables', 'iptables', 'ipvs'])
    .default('auto')
    .describe('How kube-proxy forwards. auto: nftables where Kubernetes (1.33) and kernel (5.13) allow, else iptables.'),
  maxPods: whole(1, 100_000).default(110).describe('Pods a node may run.'),
  podPidsLimit: whole(-1).default(10_000).describe('Processes a pod may have; -1 is no limit.'),
  nodeCidrMaskSize: whole(8, 30).default(24).describe('Size of the IPv4 pod network of one node.'),
  nodeCidrMaskSizeIPv6: whole(64, 126).default(120).describe('Size of the IPv6 pod network of one node.'),
  featureGates: z.record(z.string(), z.boolean()).default({}).describe('Feature gates of all components; checked against the release.'),
  masqueradeAll: flag(false).describe('kube-proxy masquerades everything (iptables and nftables mode).'),
  autoRenewCerts: flag(false).describe('A timer on the masters renews certificates before they run out. Not yet: nothing is done.'),
  nodelocaldns: toggle().describe('DNS cache on every node.'),
  audit: toggle().describe('Audit log of the API servers.'),
  encryptionAtRest: toggle().describe('Secrets are encrypted in etcd.'),
  kata: toggle().describe('Kata containers as a runtime class.'),
  nodeFeatureDiscovery: toggle().describe('Labels nodes by what their hardware can do.'),
  apiserver: component('kube-apiserver'),
  controllerManager: component('kube-controller-manager'),
  scheduler: component('kube-scheduler'),
  kubelet: component('kubelet'),
  kubeProxy: component('kube-proxy'),
  kubeletConfiguration: free().describe('Fields of KubeletConfiguration, put over ours.'),
  kubeProxyConfiguration: free().describe('Fields of KubeProxyConfiguration, put over ours.'),
  patches: text().optional().describe('Folder with kubeadm patches.'),
  ignorePreflightErrors: z
    .array(formatted('the name of a check of kubeadm', (name) => /^[A-Za-z][\w.-]*$/.test(name)))
    .default([])
    .describe('Checks of kubeadm itself whose errors do not count: SystemVerification, NumCPU.'),
});

function isMirror(value: string): boolean {
  return url().safeParse(value).success || hostPort().safeParse(value).success;
}

import { expect, it } from 'vitest';
import { formatDiagnostic } from '../../../src/config/diagnostic/diagnostic.ts';
import { rules } from '../../../src/config/rules/rules.ts';
import { check, fixture } from './check.ts';

/** A rule, overrides that violate it, and the resulting diagnostic. */
type RuleCase = readonly [rule: string, overrides: readonly string[], line: string];

const lbHosts = 'roleGroups.loadbalancer=[node3]';
const kh = 'controlPlaneEndpoint.externalLoadBalancer=kubexm-kh';
const vip = 'controlPlaneEndpoint.lb_address=198.51.100.100';
const kubeVip = 'controlPlaneEndpoint.internalLoadbalancer=kube-vip';
const masters = 'roleGroups.master=[node1, node2]';
const externalEtcd = ['etcd.type=external', 'roleGroups.etcd=[]'];

const cases: readonly RuleCase[] = [
  [
    'host-name-unique',
    ['hosts[3].name=node1', 'roleGroups.registry=[]'],
    '-e hosts[3].name spec.hosts[3].name: is also the name of another host, got "node1"',
  ],
  [
    'host-address-unique',
    ['hosts[1].address=198.51.100.11'],
    '-e hosts[1].address spec.hosts[1].address: is also the address of another host, got "198.51.100.11 port 22"',
  ],
  [
    'host-address-unique',
    ['hosts[0].internalAddress=10.1.1.1', 'hosts[1].internalAddress=10.1.1.1'],
    '-e hosts[1].internalAddress spec.hosts[1].internalAddress: is also the internal address of another host, got "10.1.1.1"',
  ],
  [
    'host-internal-address-needed',
    ['hosts[1].address=node2.example.com'],
    '-e hosts[1].address spec.hosts[1].address: is a DNS name; set internalAddress to an IP address as well, got "node2.example.com"',
  ],
  [
    'host-jump-known',
    ['hosts[1].jump=bastion'],
    '-e hosts[1].jump spec.hosts[1].jump: is not in spec.hosts; write any other machine as user@host, got "bastion"',
  ],
  [
    'host-jump-known',
    ['hosts[1].jump=node1', 'hosts[0].jump=node2'],
    '-e hosts[1].jump spec.hosts[1].jump: forms a jump host loop, got "node1"',
  ],
  [
    'host-passphrase-needs-key',
    ['hosts[1].passphrase={env: A}', 'hosts[1].password={env: B}'],
    '-e hosts[1].passphrase spec.hosts[1].passphrase: is ignored, because the host has no private key',
  ],
  [
    'secret-plain',
    ['hosts[0].password=secret1', 'hosts[1].password=secret2'],
    '-e hosts[0].password spec.hosts[0].password: is stored as plain text (and 1 more); use {env: NAME}, {file: path} or {exec: command}',
  ],
  [
    'secret-plain',
    ['hosts[0].jump={address: 10.9.9.9, password: secret1}'],
    '-e hosts[0].jump spec.hosts[0].jump.password: is stored as plain text; use {env: NAME}, {file: path} or {exec: command}',
  ],
  [
    'role-range',
    ['roleGroups.worker=["node[3:2]"]'],
    '-e roleGroups.worker spec.roleGroups.worker[0]: is a reversed range; write node[2:3], got "node[3:2]"',
  ],
  [
    'role-range',
    ['roleGroups.worker=["node[1:"]'],
    '-e roleGroups.worker spec.roleGroups.worker[0]: is not a valid range; write it as node[1:3], got "node[1:"',
  ],
  [
    'role-range',
    ['roleGroups.worker=["node[1:99999999]"]'],
    '-e roleGroups.worker spec.roleGroups.worker[0]: contains more than 10000 hosts, got "node[1:99999999]"',
  ],
  [
    'role-names-host',
    ['roleGroups.worker=[nod2]'],
    '-e roleGroups.worker spec.roleGroups.worker[0]: is not in spec.hosts, got "nod2". Did you mean node2?',
  ],
  [
    'role-names-host',
    ['roleGroups.worker=["host[1:2]"]'],
    '-e roleGroups.worker spec.roleGroups.worker[0]: includes 2 hosts that are not in spec.hosts: host1, host2, got "host[1:2]"',
  ],
  [
    'role-host-once',
    ['roleGroups.worker=[node2, "node[2:3]"]'],
    '-e roleGroups.worker spec.roleGroups.worker[1]: is already in this group, got "node2"',
  ],
  [
    'role-master-needed',
    ['roleGroups.master=[]'],
    '-e roleGroups.master spec.roleGroups.master: must list at least one host',
  ],
  [
    'role-worker-needed',
    ['roleGroups.worker=[]'],
    '-e roleGroups.worker spec.roleGroups.worker: is empty, so the cluster can only run the control plane',
  ],
  [
    'role-none',
    ['roleGroups.worker=[node2]'],
    'c.yaml:12:15 spec.hosts[2].name: has no role; the host is not changed, got "node3"',
  ],
  [
    'role-registry-one',
    ['roleGroups.registry=[node3, node4]'],
    '-e roleGroups.registry spec.roleGroups.registry: must list at most one host, got 2 hosts',
  ],
  [
    'lb-needs-hosts',
    [kh, vip],
    '-e controlPlaneEndpoint.externalLoadBalancer spec.controlPlaneEndpoint.externalLoadBalancer: requires at least one host in spec.roleGroups.loadbalancer, got "kubexm-kh"',
  ],
  [
    'lb-needs-address',
    [kh, lbHosts],
    'c.yaml:19:3 spec.controlPlaneEndpoint.lb_address: must be the virtual IP for kubexm-kh, got ""',
  ],
  [
    'lb-needs-address',
    [kubeVip],
    'c.yaml:19:3 spec.controlPlaneEndpoint.lb_address: must be the virtual IP for kube-vip, got ""',
  ],
  [
    'lb-needs-address',
    ['controlPlaneEndpoint.externalLoadBalancer=external'],
    'c.yaml:19:3 spec.controlPlaneEndpoint.lb_address: must be the address of your load balancer unless externalDNS is true, got ""',
  ],
  [
    'lb-needs-address',
    [kh, lbHosts, vip, 'controlPlaneEndpoint.externalDNS=true'],
    '-e controlPlaneEndpoint.externalDNS spec.controlPlaneEndpoint.externalDNS: cannot be combined with kubexm-kh, which requires a virtual IP in lb_address, got true',
  ],
  [
    'lb-address-unused',
    [vip],
    '-e controlPlaneEndpoint.lb_address spec.controlPlaneEndpoint.lb_address: is ignored, because no load balancer uses it, got "198.51.100.100"',
  ],
  [
    'kube-ovn-join',
    ['network.plugin=kube-ovn', 'network.kubeOvn.joinCIDR=fd01::/112'],
    '-e network.kubeOvn.joinCIDR spec.network.kubeOvn.joinCIDR: must have the same IP families in the same order as kubePodsCIDR, IPv4, got IPv6',
  ],
  [
    'cidr-hosts',
    ['kubernetes.containerRuntime.type=docker', 'hosts[0].address=172.17.0.9'],
    '-e hosts[0].address spec.hosts[0].address: overlaps the Docker bridge, 172.17.0.0/16, got "172.17.0.9"',
  ],
  [
    'host-address-unique',
    ['hosts[1].address=198.51.100.11', 'hosts[1].port=2222'],
    '-e hosts[1].address spec.hosts[1].address: is also the internal address of another host, got "198.51.100.11"',
  ],
  [
    'host-address-unique',
    ['hosts[0].internalAddress="2001:DB8:0::1"', 'hosts[1].internalAddress="2001:db8::1"'],
    '-e hosts[1].internalAddress spec.hosts[1].internalAddress: is also the internal address of another host, got "2001:db8::1"',
  ],
  [
    'host-jump-known',
    ['hosts[1].jump=ops@b.example.com:99999'],
    '-e hosts[1].jump spec.hosts[1].jump: has an invalid port, got "ops@b.example.com:99999"',
  ],
  [
    'role-range',
    [`roleGroups.worker=["node[${'9'.repeat(400)}:${'9'.repeat(400)}]"]`],
    `-e roleGroups.worker spec.roleGroups.worker[0]: is not a valid range; write it as node[1:3], got "node[${'9'.repeat(52)}…"`,
  ],
  [
    'etcd-odd',
    ['etcd.type=kubeadm', masters, 'roleGroups.etcd=[]', 'controlPlaneEndpoint.internalLoadbalancer=haproxy'],
    '-e roleGroups.master spec.roleGroups.master: should be an odd number of hosts: 2 members tolerate no more failures than 1, got 2 hosts',
  ],
  [
    'etcd-version',
    ['kubernetes.version=v1.34.11', 'etcd.version=3.5.21'],
    '-e etcd.version spec.etcd.version: is older than 3.5.24, the minimum for Kubernetes 1.34.11, got "3.5.21"',
  ],
  [
    'network-version',
    ['network.version=v3.20.0'],
    '-e network.version spec.network.version: was tested up to Kubernetes 1.28, but the cluster uses 1.35.8, got "3.20.0"',
  ],
  [
    'kubernetes-version-known',
    ['kubernetes.version=v1.24.99'],
    '-e kubernetes.version spec.kubernetes.version: does not exist; the last patch of the release is 1.24.17, got "1.24.99"',
  ],
  [
    'feature-gate',
    ['kubernetes.kubeletConfiguration={featureGates: {TTLAfterFinished: true}}'],
    '-e kubernetes.kubeletConfiguration spec.kubernetes.kubeletConfiguration.featureGates.TTLAfterFinished: was removed in Kubernetes 1.25, and the version is 1.35.8; remove this feature gate',
  ],
  [
    'feature-gate',
    ['kubernetes.apiserver.extraArgs={feature-gates: "TTLAfterFinished=true,AllAlpha=false"}'],
    '-e kubernetes.apiserver.extraArgs spec.kubernetes.apiserver.extraArgs.feature-gates: was removed in Kubernetes 1.25, and the version is 1.35.8; remove this feature gate, got "TTLAfterFinished"',
  ],
  [
    'lb-external-no-hosts',
    ['controlPlaneEndpoint.externalLoadBalancer=external', vip, lbHosts],
    '-e roleGroups.loadbalancer spec.roleGroups.loadbalancer: must be empty, because spec.controlPlaneEndpoint.externalLoadBalancer is external',
  ],
  [
    'lb-hosts-unused',
    [lbHosts],
    '-e roleGroups.loadbalancer spec.roleGroups.loadbalancer: is ignored unless spec.controlPlaneEndpoint.externalLoadBalancer is kubexm-kh or kubexm-kn',
  ],
  [
    'lb-needed',
    [masters],
    'c.yaml:19:3 spec.controlPlaneEndpoint.internalLoadbalancer: is required for 2 masters unless externalLoadBalancer is set, got "", allowed: haproxy, nginx, kube-vip',
  ],
  [
    'lb-one-virtual-ip',
    [kubeVip, kh, vip, lbHosts],
    '-e controlPlaneEndpoint.internalLoadbalancer spec.controlPlaneEndpoint.internalLoadbalancer: cannot be combined with externalLoadBalancer kubexm-kh, got "kube-vip"',
  ],
  [
    'lb-external-dns-no-address',
    [vip, 'controlPlaneEndpoint.externalDNS=true'],
    '-e controlPlaneEndpoint.lb_address spec.controlPlaneEndpoint.lb_address: must be empty, because externalDNS is true, got "198.51.100.100"',
  ],
  [
    'lb-address-free',
    [kubeVip, 'controlPlaneEndpoint.lb_address=198.51.100.12'],
    '-e controlPlaneEndpoint.lb_address spec.controlPlaneEndpoint.lb_address: is the address of node2; the virtual IP must be unused, got "198.51.100.12"',
  ],
  [
    'lb-port-free',
    [kh, vip, 'roleGroups.loadbalancer=[node1]'],
    'c.yaml:19:3 spec.controlPlaneEndpoint.port: is the port of the API server on node1, which is both master and loadbalancer; choose another port, such as 8443, got 6443',
  ],
  [
    'lb-one-per-host',
    [
      kh,
      vip,
      'kubernetes.type=kubexm',
      'roleGroups.loadbalancer=[node2]',
      'controlPlaneEndpoint.internalLoadbalancer=nginx',
    ],
    '-e controlPlaneEndpoint.internalLoadbalancer spec.controlPlaneEndpoint.internalLoadbalancer: cannot run on node2, which is both worker and loadbalancer; remove internalLoadbalancer, or remove node2 from spec.roleGroups.loadbalancer, got "nginx"',
  ],
  [
    'lb-port-direct',
    ['controlPlaneEndpoint.port=8443'],
    '-e controlPlaneEndpoint.port spec.controlPlaneEndpoint.port: must be 6443, the port of the API servers, because there is no external load balancer, got 8443',
  ],
  [
    'etcd-kubeadm-needs-kubeadm',
    ['etcd.type=kubeadm', 'kubernetes.type=kubexm'],
    '-e etcd.type spec.etcd.type: requires spec.kubernetes.type kubeadm, but it is kubexm, got "kubeadm", allowed: kubexm, external',
  ],
  [
    'lb-kube-vip-bgp',
    [kubeVip, vip, 'controlPlaneEndpoint.kubevip.mode=BGP'],
    'c.yaml:21:5 spec.controlPlaneEndpoint.kubevip.bgp: with localAS and peers is required for mode BGP, got nothing',
  ],
  [
    'lb-kube-vip-bgp',
    [kubeVip, vip, 'controlPlaneEndpoint.kubevip.bgp={localAS: 65001, peers: [{address: 198.51.100.1, as: 65000}]}'],
    'c.yaml:21:5 spec.controlPlaneEndpoint.kubevip.mode: must be BGP, because kubevip.bgp is set, got "ARP"',
  ],
  [
    'lb-kube-vip-needs-kubeadm',
    [kubeVip, vip, 'kubernetes.type=kubexm'],
    '-e controlPlaneEndpoint.internalLoadbalancer spec.controlPlaneEndpoint.internalLoadbalancer: requires spec.kubernetes.type kubeadm, but it is kubexm, got "kube-vip", allowed: haproxy, nginx',
  ],
  [
    'kubernetes-for-kubeadm',
    ['kubernetes.type=kubexm', 'kubernetes.patches=./patches'],
    '-e kubernetes.patches spec.kubernetes.patches: is ignored, because spec.kubernetes.type is kubexm, got "./patches"',
  ],
  [
    'etcd-hosts',
    ['roleGroups.etcd=[]'],
    '-e roleGroups.etcd spec.roleGroups.etcd: must list at least one host, because spec.etcd.type is kubexm',
  ],
  [
    'etcd-hosts',
    ['etcd.type=kubeadm', 'roleGroups.etcd=[node2]'],
    '-e roleGroups.etcd spec.roleGroups.etcd: must be empty or list the masters, because spec.etcd.type is kubeadm',
  ],
  [
    'etcd-hosts',
    ['etcd.type=external', 'etcd.external={endpoints: ["https://198.51.100.50:2379"]}'],
    'c.yaml:15:5 spec.roleGroups.etcd: must be empty, because spec.etcd.type is external',
  ],
  [
    'etcd-odd',
    ['roleGroups.etcd=[node1, node2]'],
    '-e roleGroups.etcd spec.roleGroups.etcd: should be an odd number of hosts: 2 members tolerate no more failures than 1, got 2 hosts',
  ],
  [
    'etcd-external',
    externalEtcd,
    'c.yaml:28:3 spec.etcd.external: is missing, but spec.etcd.type external requires endpoints',
  ],
  [
    'etcd-external',
    [...externalEtcd, 'etcd.external={endpoints: ["https://198.51.100.50:2379", "http://198.51.100.51:2379"]}'],
    '-e etcd.external spec.etcd.external.endpoints[1]: must use the same scheme as the first endpoint, got "http://198.51.100.51:2379"',
  ],
  [
    'etcd-external',
    [...externalEtcd, 'etcd.external={endpoints: ["https://198.51.100.50:2379"], certFile: a}'],
    '-e etcd.external spec.etcd.external.certFile: requires keyFile as well',
  ],
  [
    'etcd-external-unused',
    ['etcd.external={endpoints: ["https://198.51.100.50:2379"]}'],
    '-e etcd.external spec.etcd.external: is ignored, because spec.etcd.type is kubexm',
  ],
  [
    'etcd-external-http',
    [...externalEtcd, 'etcd.external={endpoints: ["http://198.51.100.50:2379"]}'],
    '-e etcd.external spec.etcd.external.endpoints[0]: is not encrypted, but API servers send Secrets over this connection; use https, got "http://198.51.100.50:2379"',
  ],
  [
    'apiserver-anonymous-auth',
    ['kubernetes.apiserver.extraArgs={anonymous-auth: false}'],
    '-e kubernetes.apiserver.extraArgs spec.kubernetes.apiserver.extraArgs.anonymous-auth: makes the health checks of the static Pods of kubeadm fail; set spec.security.profile to cis instead, which limits anonymous requests to health endpoints, got "false"',
  ],
  [
    'apiserver-anonymous-auth',
    [
      'kubernetes.apiserver.extraArgs={anonymous-auth: false}',
      'kubernetes.type=kubexm',
      'kubernetes.version=v1.31.0',
      'controlPlaneEndpoint.internalLoadbalancer=haproxy',
    ],
    '-e kubernetes.apiserver.extraArgs spec.kubernetes.apiserver.extraArgs.anonymous-auth: makes the health checks of haproxy fail, got "false"',
  ],
  [
    'apiserver-authorization-mode',
    ['kubernetes.apiserver.extraArgs={authorization-mode: AlwaysAllow}'],
    '-e kubernetes.apiserver.extraArgs spec.kubernetes.apiserver.extraArgs.authorization-mode: must include Node and RBAC, got "AlwaysAllow"',
  ],
  [
    'etcd-election',
    ['etcd.heartbeatInterval=1001'],
    'c.yaml:28:3 spec.etcd.electionTimeout: must be at least 5005, five times heartbeatInterval, got 5000',
  ],
  [
    'etcd-quota',
    ['etcd.quotaBackendBytes=8589934593'],
    '-e etcd.quotaBackendBytes spec.etcd.quotaBackendBytes: exceeds 8 GiB, the maximum that etcd recommends, got 8589934593',
  ],
  [
    'cidr-overlap',
    ['network.kubePodsCIDR=10.233.0.0/16'],
    '-e network.kubePodsCIDR spec.network.kubePodsCIDR: overlaps the service network, 10.233.0.0/18, got "10.233.0.0/16"',
  ],
  [
    'cidr-hosts',
    ['network.kubeServiceCIDR=198.51.100.0/24'],
    '-e network.kubeServiceCIDR spec.network.kubeServiceCIDR: overlaps the address of node1, 198.51.100.11, got "198.51.100.0/24"',
  ],
  [
    'cidr-overlap',
    [vip.replace('198.51.100.100', '10.233.64.7')],
    'c.yaml:6:1 spec.network.kubePodsCIDR: overlaps lb_address, 10.233.64.7, got "10.233.64.0/18"',
  ],
  [
    'cidr-overlap',
    ['network.kubePodsCIDR=172.17.0.0/18', 'kubernetes.containerRuntime.type=docker'],
    '-e network.kubePodsCIDR spec.network.kubePodsCIDR: overlaps the Docker bridge, 172.17.0.0/16, got "172.17.0.0/18"',
  ],
  [
    'cidr-overlap',
    ['network.kubePodsCIDR=100.64.0.0/18', 'network.plugin=kube-ovn'],
    '-e network.kubePodsCIDR spec.network.kubePodsCIDR: overlaps spec.network.kubeOvn.joinCIDR, 100.64.0.0/16, got "100.64.0.0/18"',
  ],
  [
    'cidr-nodes',
    ['network.kubePodsCIDR=10.100.0.0/23'],
    '-e network.kubePodsCIDR spec.network.kubePodsCIDR: is large enough for 2 nodes with a /24 each, but there are 3, got "10.100.0.0/23"',
  ],
  [
    'cidr-nodes',
    ['kubernetes.maxPods=300'],
    '-e kubernetes.maxPods spec.kubernetes.maxPods: must be at most 254, the number of addresses in a /24 (nodeCidrMaskSize), got 300',
  ],
  [
    'cidr-nodes',
    ['kubernetes.nodeCidrMaskSize=16'],
    '-e kubernetes.nodeCidrMaskSize spec.kubernetes.nodeCidrMaskSize: must be at least 18, the prefix of kubePodsCIDR 10.233.64.0/18, got 16',
  ],
  [
    'cidr-nodes',
    [
      'network.kubePodsCIDR=10.0.0.0/9',
      'network.kubeServiceCIDR=10.233.0.0/18',
      'kubernetes.nodeCidrMaskSize=26',
      'kubernetes.maxPods=50',
    ],
    '-e kubernetes.nodeCidrMaskSize spec.kubernetes.nodeCidrMaskSize: must be at most 25: 16 more than the prefix of kubePodsCIDR 10.0.0.0/9, got 26',
  ],
  [
    'cidr-services',
    ['network.kubeServiceCIDR=10.0.0.0/11'],
    '-e network.kubeServiceCIDR spec.network.kubeServiceCIDR: must have a prefix from /12 to /28, got "10.0.0.0/11"',
  ],
  [
    'cidr-exact',
    ['network.kubePodsCIDR=10.100.0.7/18'],
    '-e network.kubePodsCIDR spec.network.kubePodsCIDR: is not the network address; using 10.100.0.0/18, got "10.100.0.7/18"',
  ],
  [
    'dual-stack-same',
    ['network.kubeServiceCIDR="10.233.0.0/18,fd00::/112"'],
    '-e network.kubeServiceCIDR spec.network.kubeServiceCIDR: must have the same IP families in the same order as kubePodsCIDR, IPv4, got IPv4, IPv6',
  ],
  [
    'dual-stack-hosts',
    [
      'network.kubePodsCIDR="10.100.0.0/18,fd01::/112"',
      'network.kubeServiceCIDR="10.233.0.0/18,fd00::/112"',
      'hosts[1].internalAddress="198.51.100.12,fd02::2"',
      'hosts[2].internalAddress="198.51.100.13,fd02::3"',
    ],
    'c.yaml:8:7 spec.hosts[0].internalAddress: requires an IPv6 address, because kubePodsCIDR includes this family, got "198.51.100.11"',
  ],
  [
    'calico-one-tunnel',
    ['network.calico={ipipMode: Always, vxlanMode: Always}'],
    '-e network.calico spec.network.calico.vxlanMode: must be Never, because ipipMode is enabled, got "Always"',
  ],
  [
    'calico-block-size',
    ['network.ippool.blockSize=20', 'network.kubePodsCIDR=10.233.64.0/21'],
    '-e network.ippool.blockSize spec.network.ippool.blockSize: must be at least 21, the prefix of kubePodsCIDR 10.233.64.0/21, got 20',
  ],
  [
    'kubernetes-version-known',
    ['kubernetes.version=v1.99.0'],
    '-e kubernetes.version spec.kubernetes.version: is not a release known to kubexm (1.24 to 1.36) and is untested, got "1.99.0"',
  ],
  [
    'kubernetes-version-maintained',
    ['kubernetes.version=v1.33.1'],
    '-e kubernetes.version spec.kubernetes.version: reached its end of life on 2026-06-28, got "1.33.1"',
  ],
  [
    'feature-gate',
    ['kubernetes.featureGates={TTLAfterFinished: true}'],
    '-e kubernetes.featureGates spec.kubernetes.featureGates.TTLAfterFinished: was removed in Kubernetes 1.25, and the version is 1.35.8; remove this feature gate',
  ],
  [
    'feature-gate',
    ['kubernetes.featureGates={RotateKubletServerCertificate: true}'],
    '-e kubernetes.featureGates spec.kubernetes.featureGates.RotateKubletServerCertificate: is not a feature gate of Kubernetes 1.35. Did you mean RotateKubeletServerCertificate?',
  ],
  [
    'feature-gate',
    ['kubernetes.featureGates={WorkloadAwarePreemption: true}'],
    '-e kubernetes.featureGates spec.kubernetes.featureGates.WorkloadAwarePreemption: was added in Kubernetes 1.36, but the version is 1.35.8',
  ],
  [
    'flag-removed',
    ['kubernetes.kubelet.extraArgs={pod-infra-container-image: x}'],
    '-e kubernetes.kubelet.extraArgs spec.kubernetes.kubelet.extraArgs.pod-infra-container-image: was removed in Kubernetes 1.35',
  ],
  [
    'proxy-mode-available',
    ['kubernetes.proxyMode=nftables', 'kubernetes.version=v1.30.0'],
    '-e kubernetes.proxyMode spec.kubernetes.proxyMode: requires Kubernetes 1.31 or newer, but the version is 1.30.0, got "nftables", allowed: auto, iptables, ipvs',
  ],
  [
    'proxy-mode-ipvs',
    ['kubernetes.proxyMode=ipvs'],
    '-e kubernetes.proxyMode spec.kubernetes.proxyMode: is deprecated as of Kubernetes 1.35; use nftables, got "ipvs"',
  ],
  [
    'runtime-from-packages',
    ['kubernetes.containerRuntime.from=packages'],
    '-e kubernetes.containerRuntime.from spec.kubernetes.containerRuntime.from: is not available for containerd, got "packages", allowed: release',
  ],
  [
    'runtime-version',
    ['kubernetes.containerRuntime.version=1.7.6'],
    '-e kubernetes.containerRuntime.version spec.kubernetes.containerRuntime.version: is older than recommended for Kubernetes 1.35.8, got "1.7.6", allowed: 1.7.28 or newer, 2.1.5 or newer, 2.2.0 or newer',
  ],
  [
    'runtime-version',
    ['kubernetes.containerRuntime={type: cri-o, version: 1.34.0}'],
    '-e kubernetes.containerRuntime spec.kubernetes.containerRuntime.version: should have the same minor version as Kubernetes, 1.35, got "1.34.0"',
  ],
  [
    'runtime-version',
    ['kubernetes.containerRuntime.type=isulad'],
    '-e kubernetes.containerRuntime.type spec.kubernetes.containerRuntime.type: supports the CRI only up to Kubernetes 1.29, but the version is 1.35.8, got "isulad"',
  ],
  [
    'network-version',
    ['network.version=v3.30.1'],
    '-e network.version spec.network.version: was tested up to Kubernetes 1.33, but the cluster uses 1.35.8, got "3.30.1"',
  ],
  [
    'etcd-version',
    ['etcd.version=3.5.10'],
    '-e etcd.version spec.etcd.version: is older than 3.5.24, the minimum for Kubernetes 1.35.8, got "3.5.10"',
  ],
  [
    'registry-needs-host',
    ['registry.type=harbor', 'roleGroups.registry=[]'],
    '-e registry.type spec.registry.type: requires a host in spec.roleGroups.registry, got "harbor"',
  ],
  [
    'registry-external-name',
    ['registry.type=external', 'roleGroups.registry=[]'],
    'c.yaml:30:3 spec.registry.privateRegistry: must be the name of the external registry, because spec.registry.type is external, got ""',
  ],
  [
    'registry-external-no-host',
    ['registry.type=external', 'registry.privateRegistry=r.example.com'],
    'c.yaml:18:5 spec.roleGroups.registry: is ignored, because spec.registry.type is external',
  ],
  [
    'registry-one-host',
    ['roleGroups.registry=[node4, node3]'],
    '-e roleGroups.registry spec.roleGroups.registry: lists several hosts, but the registry runs only on the first one, got "node4, node3"',
  ],
  [
    'registry-login',
    ['registry.auths={r.example.com: {username: admin}}'],
    '-e registry.auths spec.registry.auths["r.example.com"].username: requires password as well',
  ],
  [
    'registry-anonymous-pull',
    ['registry.anonymousPull=true'],
    '-e registry.anonymousPull spec.registry.anonymousPull: allows everyone with network access to the registry to pull images, got true',
  ],
  [
    'registry-anonymous-pull',
    ['registry.anonymousPull=true', 'registry.type=harbor'],
    '-e registry.anonymousPull spec.registry.anonymousPull: is ignored, because kubexm does not install a registry of type registry, got true',
  ],
  [
    'registry-plain-login',
    ['registry.auths={r.example.com: {username: admin, password: x, plainHTTP: true}}'],
    '-e registry.auths spec.registry.auths["r.example.com"].plainHTTP: sends the password unencrypted, got true',
  ],
  [
    'registry-login-mirror',
    ['kubernetes.containerRuntime.type=docker'],
    '-e kubernetes.containerRuntime.type spec.kubernetes.containerRuntime.type: cannot log in to the registry as a mirror, so hosts pull Docker Hub images from upstream, got "docker"',
  ],
  [
    'addon-known',
    ['addons=[longhron]'],
    '-e addons spec.addons[0]: is not in the catalog; a custom addon requires type and source, got "longhron", allowed: ingress-nginx, kata, local-path, longhorn, metallb, metrics-server, monitoring, multus, nfs-client, node-feature-discovery, openebs, velero. Did you mean longhorn?',
  ],
  [
    'addon-source',
    ['addons=[{name: x, source: {path: y}}]'],
    '-e addons spec.addons[0].source: requires a type as well, allowed: yaml, helm',
  ],
  [
    'addon-source',
    ['addons=[{name: x, type: yaml, source: {chart: y}}]'],
    '-e addons spec.addons[0].source: must have exactly one of url and path, because type is yaml',
  ],
  [
    'addon-source',
    ['addons=[{name: x, type: yaml, source: {path: y}, valuesFile: z}]'],
    '-e addons spec.addons[0].valuesFile: is used only with type helm',
  ],
  ['addon-once', ['addons=[metallb, metallb]'], '-e addons spec.addons[1]: is already listed, got "metallb"'],
  [
    'key-encryption',
    ['security.keyEncryption={}'],
    '-e security.keyEncryption spec.security.keyEncryption: must have either passphrase or ageIdentity',
  ],
  [
    'key-encryption',
    ['security.keyEncryption={passphrase: {env: A}, ageIdentity: {file: b}}'],
    '-e security.keyEncryption spec.security.keyEncryption: must have either passphrase or ageIdentity',
  ],
  [
    'time-one-server',
    ['system.ntpServers=[node1, node2]'],
    '-e system.ntpServers spec.system.ntpServers[1]: is the second cluster host in the list; only one can be the time server, got "node2"',
  ],
  [
    'packages-kept',
    ['system.packages=keep', 'system.debs=[jq]'],
    '-e system.debs spec.system.debs: is ignored, because spec.system.packages is keep',
  ],
  [
    'etc-hosts-kept',
    ['system.etcHosts=keep', 'extra.hosts=[{domain: a.example.com, address: 10.0.0.1}]'],
    '-e extra.hosts spec.extra.hosts: is ignored, because spec.system.etcHosts is keep',
  ],
  [
    'dns-hosts-lines',
    ['dns.dnsEtcHosts="198.51.100.1 a\\nnonsense"'],
    '-e dns.dnsEtcHosts spec.dns.dnsEtcHosts: must contain lines such as "192.168.0.100 api.example.com", got "nonsense"',
  ],
  [
    'nodelocaldns-unused',
    ['kubernetes.nodelocaldns=false'],
    'c.yaml:39:5 spec.dns.nodelocaldns: is ignored, because spec.kubernetes.nodelocaldns is false',
  ],
  [
    'override-sum',
    ['artifacts.overrides={etcd: {url: "https://example.com/etcd.tgz"}}'],
    '-e artifacts.overrides spec.artifacts.overrides.etcd.url: has no sha256 to verify the download',
  ],
  [
    'trusted-mirror',
    ['artifacts.trustMirror=true'],
    '-e artifacts.trustMirror spec.artifacts.trustMirror: accepts unverified files and images from mirrors; set checksums or overrides to verify them, got true',
  ],
];

it.each(cases)('%s is violated by %j', (rule, overrides, line) => {
  const violations = check(fixture('full.yaml'), overrides).diagnostics.filter((each) => each.rule === rule);
  expect(violations.map(formatDiagnostic)).toContain(line);
  expect(violations.map(({ severity }) => severity)).toEqual(
    violations.map(() => rules.find(({ id }) => id === rule)?.severity),
  );
});

it('has a case for every rule, and the fixture violates none', () => {
  expect([...new Set(cases.map(([rule]) => rule))].toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
  expect(check(fixture('full.yaml')).diagnostics).toEqual([]);
});

it.each([
  [
    'anonymous requests are refused in binary mode without haproxy',
    ['kubernetes.type=kubexm'],
    'anonymous-auth: false',
  ],
  ['anonymous requests are allowed explicitly', [], 'anonymous-auth: true'],
  ['more authorizers than required are configured', [], 'authorization-mode: "Node,RBAC,Webhook"'],
])('no rule is violated if %s', (_, more, flag) => {
  const overrides = [...more, `kubernetes.apiserver.extraArgs={${flag}}`];
  expect(check(fixture('full.yaml'), overrides).diagnostics).toEqual([]);
});

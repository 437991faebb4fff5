import { expect } from 'vitest';

/** A path, a valid value and its parsed form, an invalid value and its error, and further overrides that the case needs. */
export type FieldCase = readonly [
  path: string,
  good: string,
  expected: unknown,
  bad: string,
  message: string,
  ...more: string[],
];

const anything: unknown = expect.anything();
const env = { type: 'env', name: 'X' };
const zoneText = '[{zones: [a.example.com], nameservers: [198.51.100.1]}]';
const zone = { zones: ['a.example.com'], nameservers: ['198.51.100.1'], cache: 5, rewrite: [] };
const scriptText = '[{name: x, bash: echo x}]';
const script = { name: 'x', bash: 'echo x', roles: [] };

const map = (path: string, ...more: string[]): FieldCase => [
  path,
  '{}',
  anything,
  '5',
  'must be a map, got 5',
  ...more,
];
const flag = (path: string, ...more: string[]): FieldCase => [
  path,
  'true',
  true,
  'perhaps',
  'must be true or false, got "perhaps"',
  ...more,
];
const toggle = (path: string): FieldCase => [
  path,
  '{enabled: true}',
  true,
  'perhaps',
  'must be true, false or {enabled: true}, got "perhaps"',
];
const secret = (path: string, ...more: string[]): FieldCase => [
  path,
  '{env: X}',
  env,
  '{env: X, file: y}',
  'must be a string, {env: NAME}, {file: path} or {exec: command}, got a hidden value',
  ...more,
];
const text = (path: string, ...more: string[]): FieldCase => [
  path,
  'some/text',
  'some/text',
  '[]',
  'must be a string, got a list of 0',
  ...more,
];
const path = (at: string, ...more: string[]): FieldCase => [
  at,
  '/data/x',
  '/data/x',
  'data/x',
  'must be an absolute path, got "data/x"',
  ...more,
];
const version = (at: string, ...more: string[]): FieldCase => [
  at,
  'v2.3.4',
  '2.3.4',
  'newest',
  'must be a version such as v1.2.3, got "newest"',
  ...more,
];
const texts = (at: string): FieldCase => [at, '[a, b]', ['a', 'b'], 'a', 'must be a list; write [a], got "a"'];
const number = (at: string, good: number, bad: string, message: string, ...more: string[]): FieldCase => [
  at,
  String(good),
  good,
  bad,
  message,
  ...more,
];
const extraArgs = (at: string): FieldCase => [
  at,
  '{v: 2, profiling: false}',
  { v: '2', profiling: 'false' },
  '{--v: 2}',
  'must be a flag without leading dashes, such as v or max-requests-inflight, got "--v"',
];
const choice = (at: string, good: string, bad: string, message: string, ...more: string[]): FieldCase => [
  at,
  good,
  good,
  bad,
  `is not allowed, got "${bad}", allowed: ${message}`,
  ...more,
];

const HOST_KEY = 'SHA256:0123456789012345678901234567890123456789012';

const hosts: readonly FieldCase[] = [
  [
    'hosts',
    '[{name: node1, address: 198.51.100.11}, {name: node2, address: 198.51.100.12}, {name: node3, address: 198.51.100.13}, {name: node4, address: 198.51.100.14}]',
    anything,
    '[]',
    'must have at least one host, got a list of 0',
  ],
  ['hosts[3].name', 'node4', 'node4', 'Node_4', 'must be a DNS-1123 name: a-z, 0-9, - and dots, got "Node_4"'],
  [
    'hosts[0].address',
    '198.51.100.99',
    '198.51.100.99',
    '198.51.100.999',
    'must be an IP address or a DNS name, got "198.51.100.999"',
  ],
  [
    'hosts[0].internalAddress',
    '"198.51.100.11,2001:db8::1"',
    '198.51.100.11,2001:db8::1',
    '"198.51.100.11,198.51.100.12"',
    'must be an IP address, or an IPv4 and an IPv6 address separated by a comma',
  ],
  number('hosts[0].port', 2222, '70000', 'must be at most 65535, got 70000'),
  ['hosts[0].user', 'ubuntu', 'ubuntu', '"a b"', 'must be a user name, got "a b"'],
  secret('hosts[0].password'),
  secret('hosts[0].privateKey'),
  text('hosts[0].privateKeyPath'),
  secret('hosts[0].passphrase'),
  secret('hosts[0].sudoPassword'),
  choice('hosts[0].arch', 'arm64', 'arm', 'amd64, arm64. Did you mean arm64?'),
  [
    'hosts[0].labels',
    '{disk: SSD, example.com/tier: 1}',
    { disk: 'SSD', 'example.com/tier': '1' },
    '{"-x": y}',
    'must be a label key such as disk or example.com/disk, got "-x"',
  ],
  [
    'hosts[0].taints',
    '["dedicated=db:NoExecute"]',
    [{ key: 'dedicated', value: 'db', effect: 'NoExecute' }],
    '[dedicated]',
    'must be a taint such as dedicated=db:NoSchedule, or {key, value, effect}, got "dedicated"',
  ],
  ['hosts[0].taints[0].key', 'gpu', 'gpu', '"-gpu"', 'must be a label key'],
  ['hosts[0].taints[0].value', 'x', 'x', '"a b"', 'must be a label value'],
  choice('hosts[0].taints[0].effect', 'NoExecute', 'NoRun', 'NoSchedule, PreferNoSchedule, NoExecute'),
  ['hosts[0].jump', 'ubuntu@bastion.example.com', 'ubuntu@bastion.example.com', '"a b"', 'must be host or user@host'],
  ['hosts[0].timeout', '2m', 120_000, 'soon', 'must be a duration such as 30s or 2m, got "soon"'],
  [
    'hosts[0].hostKey',
    HOST_KEY,
    HOST_KEY,
    'abc',
    'must be a public key such as "ssh-ed25519 AAAA…" or a fingerprint such as "SHA256:…", got "abc"',
  ],
];

const roles: readonly FieldCase[] = [
  ['roleGroups', '{etcd: [node1], master: [node1], worker: ["node[2:4]"]}', anything, '5', 'must be a map, got 5'],
  ['roleGroups.etcd', '["node[1:3]"]', ['node[1:3]'], 'node1', 'must be a list; write [node1], got "node1"'],
  ['roleGroups.master', '[node2]', ['node2'], '[5]', 'must be a string; put it in quotes: "5", got 5'],
  ['roleGroups.worker', '[node3]', ['node3'], '[""]', 'must not be empty, got ""'],
  ['roleGroups.registry', '[node3]', ['node3'], '[node9]', 'is not in spec.hosts, got "node9"'],
  ['roleGroups.loadbalancer', '[node3]', ['node3'], '{}', 'must be a list, got a map with no keys'],
];

const endpoint: readonly FieldCase[] = [
  map('controlPlaneEndpoint'),
  [
    'controlPlaneEndpoint.externalLoadBalancer',
    'kubexm',
    'kubexm-kh',
    'f5',
    'is not allowed, got "f5", allowed: "", kubexm-kh, kubexm-kn, external, kubexm',
    'roleGroups.loadbalancer=[node3]',
    'controlPlaneEndpoint.lb_address=198.51.100.100',
  ],
  choice(
    'controlPlaneEndpoint.internalLoadbalancer',
    'haproxy',
    'haproxi',
    '"", haproxy, nginx, kube-vip. Did you mean haproxy?',
  ),
  [
    'controlPlaneEndpoint.domain',
    'api.example.com',
    'api.example.com',
    'api_1',
    'must be a DNS name: a-z, 0-9, - and dots, got "api_1"',
  ],
  [
    'controlPlaneEndpoint.lb_address',
    '198.51.100.100',
    '198.51.100.100',
    'vip',
    'must be an IP address, or empty, got "vip"',
  ],
  [
    ...number('controlPlaneEndpoint.port', 8443, '0', 'must be at least 1, got 0'),
    'kubernetes.apiserver.extraArgs.secure-port=8443',
  ],
  flag('controlPlaneEndpoint.externalDNS'),
  map('controlPlaneEndpoint.keepalived'),
  number('controlPlaneEndpoint.keepalived.vrid', 77, '256', 'must be at most 255, got 256'),
  [
    'controlPlaneEndpoint.keepalived.interface',
    'eth0',
    'eth0',
    '"a very long interface"',
    'must be a network interface such as eth0',
  ],
  flag('controlPlaneEndpoint.keepalived.unicast'),
  map('controlPlaneEndpoint.kubevip'),
  choice('controlPlaneEndpoint.kubevip.mode', 'BGP', 'OSPF', 'ARP, BGP'),
  ['controlPlaneEndpoint.kubevip.interface', 'bond0', 'bond0', '""', 'must be a network interface such as eth0'],
];

const system: readonly FieldCase[] = [
  map('system'),
  [
    'system.ntpServers',
    '[node1, ntp.example.com]',
    ['node1', 'ntp.example.com'],
    '["a b"]',
    'must be an IP address or a DNS name, got "a b"',
  ],
  [
    'system.timezone',
    'Asia/Shanghai',
    'Asia/Shanghai',
    'Asia/Shangai',
    'must be a time zone such as Asia/Shanghai, got "Asia/Shangai". Did you mean Asia/Shanghai?',
  ],
  texts('system.rpms'),
  texts('system.debs'),
  choice('system.firewall', 'rules', 'off', 'disable, rules, keep'),
  choice('system.selinux', 'keep', 'enforcing', 'disable, permissive, keep'),
  choice('system.swap', 'keep', 'on', 'disable, keep'),
  choice('system.hostname', 'keep', 'node1', 'set, keep'),
  choice('system.etcHosts', 'keep', 'none', 'write, keep'),
  choice('system.packages', 'keep', 'all', 'install, keep'),
  choice('system.modules', 'keep', 'none', 'load, keep'),
  choice('system.sysctl', 'keep', 'none', 'set, keep'),
  ['system.preInstall', scriptText, [script], '[{name: x}]', 'is missing'],
  ['system.preInstall[0].name', 'x', 'x', '""', 'must not be empty, got ""'],
  ['system.preInstall[0].bash', 'echo x', 'echo x', '7', 'must be a string; put it in quotes: "7", got 7'],
  [
    'system.preInstall[0].roles',
    '[etcd]',
    ['etcd'],
    '[masters]',
    'is not allowed, got "masters", allowed: etcd, master, worker, registry, loadbalancer. Did you mean master?',
  ],
  ['system.postInstall', scriptText, [script], '[{bash: x}]', 'is missing'],
  ['system.postInstall[0].name', 'x', 'x', '""', 'must not be empty, got ""'],
  ['system.postInstall[0].bash', 'echo x', 'echo x', '7', 'must be a string; put it in quotes: "7", got 7'],
  ['system.postInstall[0].roles', '[worker]', ['worker'], 'worker', 'must be a list; write [worker], got "worker"'],
];

const kubernetes: readonly FieldCase[] = [
  map('kubernetes'),
  choice('kubernetes.type', 'kubexm', 'kubeamd', 'kubeadm, kubexm. Did you mean kubeadm?'),
  ['kubernetes.version', 'v1.36.3', '1.36.3', '1.30', 'must be a string; put it in quotes: "1.30", got 1.30'],
  [
    'kubernetes.clusterName',
    'k8s.local',
    'k8s.local',
    'k8s local',
    'must be a DNS name: a-z, 0-9, - and dots, got "k8s local"',
  ],
  [
    'kubernetes.apiserverCertExtraSans',
    '[198.51.100.9, "*.example.com"]',
    ['198.51.100.9', '*.example.com'],
    '["a b"]',
    'must be an IP address or a DNS name, got "a b"',
  ],
  map('kubernetes.containerRuntime'),
  choice('kubernetes.containerRuntime.type', 'docker', 'podman', 'containerd, docker, cri-o, isulad'),
  version('kubernetes.containerRuntime.version'),
  choice(
    'kubernetes.containerRuntime.from',
    'packages',
    'source',
    'release, packages',
    'kubernetes.containerRuntime.type=docker',
  ),
  [
    'kubernetes.containerRuntime.registryMirrors',
    '["https://mirror.example.com", mirror:5000]',
    ['https://mirror.example.com', 'mirror:5000'],
    '["a b"]',
    'must be a URL or host[:port], got "a b"',
  ],
  [
    'kubernetes.containerRuntime.insecureRegistries',
    '[registry.example.com:5000]',
    ['registry.example.com:5000'],
    '["http://x"]',
    'must be host or host:port, got "http://x"',
  ],
  path('kubernetes.containerRuntime.dataDir'),
  choice('kubernetes.proxyMode', 'nftables', 'userspace', 'auto, nftables, iptables, ipvs'),
  number('kubernetes.maxPods', 200, '1.5', 'must be an integer, got 1.5'),
  number('kubernetes.podPidsLimit', -1, '-2', 'must be at least -1, got -2'),
  number('kubernetes.nodeCidrMaskSize', 25, '31', 'must be at most 30, got 31'),
  number('kubernetes.nodeCidrMaskSizeIPv6', 118, '20', 'must be at least 64, got 20'),
  [
    'kubernetes.featureGates',
    '{RotateKubeletServerCertificate: true}',
    { RotateKubeletServerCertificate: true },
    '{RotateKubeletServerCertificate: on_}',
    'must be true or false, got "on_"',
  ],
  flag('kubernetes.masqueradeAll'),
  flag('kubernetes.autoRenewCerts'),
  toggle('kubernetes.nodelocaldns'),
  toggle('kubernetes.audit'),
  toggle('kubernetes.encryptionAtRest'),
  toggle('kubernetes.kata'),
  toggle('kubernetes.nodeFeatureDiscovery'),
  ...['apiserver', 'controllerManager', 'scheduler', 'kubelet', 'kubeProxy'].flatMap((name) => [
    map(`kubernetes.${name}`),
    extraArgs(`kubernetes.${name}.extraArgs`),
  ]),
  [
    'kubernetes.ignorePreflightErrors',
    '[SystemVerification, Port-6443]',
    ['SystemVerification', 'Port-6443'],
    '["a b"]',
    'must be the name of a kubeadm preflight check, got "a b"',
  ],
  [
    'kubernetes.kubeletConfiguration',
    '{failSwapOn: false, x: null}',
    { failSwapOn: false, x: null },
    '[]',
    'must be a map, got a list of 0',
  ],
  [
    'kubernetes.kubeProxyConfiguration',
    '{conntrack: {maxPerCore: 0}}',
    { conntrack: { maxPerCore: 0 } },
    'x',
    'must be a map, got "x"',
  ],
  text('kubernetes.patches'),
];

const endpoints = 'etcd.external={endpoints: ["https://198.51.100.50:2379"], certFile: a, keyFile: b}';
const etcd: readonly FieldCase[] = [
  map('etcd'),
  choice('etcd.type', 'kubeadm', 'embedded', 'kubexm, kubeadm, external'),
  ['etcd.version', '3.6.16', '3.6.16', 'v3.6', 'must be a version such as v1.2.3, got "v3.6"'],
  path('etcd.dataDir'),
  [
    'etcd.external',
    '{endpoints: ["http://198.51.100.50:2379"]}',
    { endpoints: ['http://198.51.100.50:2379'] },
    '{}',
    'is missing',
  ],
  [
    'etcd.external.endpoints',
    '["https://198.51.100.50:2379"]',
    ['https://198.51.100.50:2379'],
    '["198.51.100.50"]',
    'must be an http or https URL, got "198.51.100.50"',
    endpoints,
  ],
  text('etcd.external.caFile', endpoints),
  text('etcd.external.certFile', endpoints),
  text('etcd.external.keyFile', endpoints),
  number('etcd.heartbeatInterval', 100, '5', 'must be at least 10, got 5'),
  number('etcd.electionTimeout', 2500, '60000', 'must be at most 50000, got 60000'),
  number('etcd.snapshotCount', 5000, '0', 'must be at least 1, got 0'),
  number('etcd.autoCompactionRetention', 0, '8h', 'must be a number, got "8h"'),
  choice('etcd.metrics', 'extensive', 'all', 'basic, extensive'),
  number('etcd.quotaBackendBytes', 4_294_967_296, '4Gi', 'must be a number, got "4Gi"'),
  number('etcd.maxRequestBytes', 2_000_000, '1', 'must be at least 1024, got 1'),
  number('etcd.maxSnapshots', 0, '-1', 'must be at least 0, got -1'),
  number('etcd.maxWals', 3, '-1', 'must be at least 0, got -1'),
  choice('etcd.logLevel', 'debug', 'trace', 'debug, info, warn, error, panic, fatal'),
  extraArgs('etcd.extraArgs'),
  map('etcd.backup'),
  path('etcd.backup.dir'),
  [
    'etcd.backup.schedule',
    'every 30m',
    'every 30m',
    '61 * * * *',
    'must be a schedule: hourly, daily, weekly, every 30m, or five cron fields, got "61 * * * *"',
  ],
  number('etcd.backup.keep', 3, '0', 'must be at least 1, got 0'),
];

const network: readonly FieldCase[] = [
  map('network'),
  choice('network.plugin', 'flannel', 'canal', 'calico, flannel, cilium, kube-ovn, none'),
  version('network.version'),
  [
    'network.kubePodsCIDR',
    '10.100.0.0/16',
    '10.100.0.0/16',
    '10.100.0.0',
    'must be a CIDR such as 10.233.0.0/18, or an IPv4 and an IPv6 CIDR separated by a comma, got "10.100.0.0"',
  ],
  [
    'network.kubeServiceCIDR',
    '10.101.0.0/16',
    '10.101.0.0/16',
    '10.101.0.0/33',
    'must be a CIDR such as 10.233.0.0/18',
  ],
  map('network.calico'),
  choice('network.calico.ipipMode', 'CrossSubnet', 'Sometimes', 'Always, CrossSubnet, Never'),
  choice('network.calico.vxlanMode', 'Always', 'always', 'Always, CrossSubnet, Never. Did you mean Always?'),
  number('network.calico.vethMTU', 1440, '-1', 'must be at least 0, got -1'),
  flag('network.calico.ipv4NatOutgoing'),
  flag('network.calico.typha'),
  map('network.flannel'),
  choice('network.flannel.backend', 'host-gw', 'udp', 'vxlan, host-gw, wireguard'),
  map('network.cilium'),
  flag('network.cilium.kubeProxyReplacement'),
  ['network.cilium.values', '{hubble: null}', { hubble: null }, '5', 'must be a map, got 5'],
  map('network.kubeOvn'),
  [
    'network.kubeOvn.joinCIDR',
    '100.65.0.0/16',
    '100.65.0.0/16',
    '100.65.0.0',
    'must be a CIDR such as 10.233.0.0/18, or an IPv4 and an IPv6 CIDR separated by a comma, got "100.65.0.0"',
  ],
  map('network.kubeOvn.values'),
  toggle('network.multus'),
  map('network.ippool'),
  number('network.ippool.blockSize', 24, '19', 'must be at least 20, got 19'),
];

const auth = (key: string) => `registry.auths["registry.example.com"].${key}`;
const registry: readonly FieldCase[] = [
  map('registry'),
  choice('registry.type', 'harbor', 'quay', '"", registry, harbor, external'),
  version('registry.version'),
  [
    'registry.privateRegistry',
    'registry.example.com:5000',
    'registry.example.com:5000',
    'https://registry',
    'must be host or host:port, or empty, got "https://registry"',
  ],
  ['registry.namespaceOverride', 'kubexm', 'kubexm', 'Kube XM', 'must be a project name, or empty, got "Kube XM"'],
  [
    'registry.auths',
    '{"a.example.com:5000": {plainHTTP: true}}',
    anything,
    '{"https://a": {}}',
    'must be host or host:port, got "https://a"',
  ],
  text(auth('username')),
  secret(auth('password')),
  flag(auth('skipTLSVerify')),
  flag(auth('plainHTTP')),
  text(auth('certsPath')),
  path('registry.registryDataDir'),
  map('registry.harbor'),
  secret('registry.harbor.adminPassword'),
  flag('registry.harbor.trivy'),
];

const storage: readonly FieldCase[] = [
  map('storage'),
  map('storage.openebs'),
  path('storage.openebs.basePath'),
  [
    'storage.nfs',
    '{server: 198.51.100.70, path: /x}',
    { server: '198.51.100.70', path: '/x' },
    '{server: 198.51.100.70}',
    'is missing',
  ],
  ['storage.nfs.server', '198.51.100.70', '198.51.100.70', 'a b', 'must be an IP address or a DNS name, got "a b"'],
  path('storage.nfs.path'),
  toggle('storage.longhorn'),
  toggle('storage.localPath'),
];

const zones = (at: string): readonly FieldCase[] => [
  [at, zoneText, [zone], '[{zones: [x]}]', 'is missing'],
  [`${at}[0].zones`, '[example.io:1053]', ['example.io:1053'], '[]', 'must list at least one zone, got a list of 0'],
  [`${at}[0].nameservers`, '[198.51.100.2]', ['198.51.100.2'], '[]', 'must list at least one server, got a list of 0'],
  number(`${at}[0].cache`, 10, '-1', 'must be at least 0, got -1'),
  [`${at}[0].rewrite`, '[name a b]', ['name a b'], 'x', 'must be a list; write [x], got "x"'],
];

const dns: readonly FieldCase[] = [
  map('dns'),
  [
    'dns.dnsEtcHosts',
    '"198.51.100.9 api.example.com"',
    '198.51.100.9 api.example.com',
    'nonsense',
    'must contain lines such as "192.168.0.100 api.example.com", got "nonsense"',
  ],
  map('dns.coredns'),
  text('dns.coredns.additionalConfigs'),
  ...zones('dns.coredns.externalZones'),
  text('dns.coredns.rewriteBlock'),
  [
    'dns.coredns.upstreamDNSServers',
    '[198.51.100.3]',
    ['198.51.100.3'],
    '[dns.example.com]',
    'must be an IP address, got "dns.example.com"',
  ],
  map('dns.nodelocaldns'),
  ...zones('dns.nodelocaldns.externalZones'),
];

const addons: readonly FieldCase[] = [
  [
    'addons',
    '[metallb]',
    [{ name: 'metallb', values: {}, wait: true }],
    '[metalb]',
    'is not in the catalog; a custom addon requires type and source, got "metalb"',
  ],
  [
    'addons[0].name',
    'mine2',
    'mine2',
    'My_App',
    'must be a DNS label: a-z, 0-9 and -, at most 63 characters, got "My_App"',
  ],
  choice('addons[0].type', 'helm', 'kustomize', 'yaml, helm'),
  ['addons[0].namespace', 'tools', 'tools', 'My Tools', 'must be a DNS label'],
  [
    'addons[0].source',
    '{path: ./chart}',
    { path: './chart' },
    '{}',
    'must have exactly one of chart, url and path, because type is helm',
  ],
  text('addons[1].source.url'),
  ['addons[1].source.path', 'x', 'x', '5', 'must be a string; put it in quotes: "5", got 5', 'addons[1].source={}'],
  text('addons[0].source.chart'),
  text('addons[0].source.repo'),
  text('addons[0].source.version'),
  ['addons[0].values', '{replicas: 2, x: null}', { replicas: 2, x: null }, '5', 'must be a map, got 5'],
  text('addons[0].valuesFile'),
  flag('addons[0].wait'),
];

const artifacts: readonly FieldCase[] = [
  map('artifacts'),
  choice('artifacts.zone', 'cn', 'us', '"", cn'),
  [
    'artifacts.mirror',
    'http://127.0.0.1:8080/',
    'http://127.0.0.1:8080/',
    'ftp://x',
    'must be an http or https URL, or empty, got "ftp://x"',
  ],
  ['artifacts.overrides', '{etcd: {}}', { etcd: {} }, '{etcd: 3}', 'must be a map, got 3'],
  version('artifacts.overrides.etcd.version'),
  [
    'artifacts.overrides.etcd.url',
    'https://example.com/etcd.tgz',
    'https://example.com/etcd.tgz',
    'etcd.tgz',
    'must be an http or https URL, got "etcd.tgz"',
  ],
  [
    'artifacts.overrides.etcd.sha256',
    'a'.repeat(64),
    'a'.repeat(64),
    'abc',
    'must be a SHA-256 checksum: 64 hex digits, got "abc"',
  ],
  text('artifacts.checksums'),
  [
    'artifacts.imageMirror',
    'm.example.com/proxy',
    'm.example.com/proxy',
    'a b',
    'must be host or host/path, or empty, got "a b"',
  ],
];

export const fieldCases: readonly FieldCase[] = [
  [
    'apiVersion',
    'kubexm.mensylisir.io/v1alpha1',
    'kubexm.mensylisir.io/v1alpha1',
    'v1',
    'is not allowed, got "v1", allowed: kubexm.mensylisir.io/v1alpha1',
  ],
  ['kind', 'Cluster', 'Cluster', 'Clustre', 'is not allowed, got "Clustre", allowed: Cluster. Did you mean Cluster?'],
  ['metadata', '{name: x}', { name: 'x' }, '{}', 'is missing'],
  ['metadata.name', 'prod', 'prod', 'Prod', 'must be a DNS label: a-z, 0-9 and -, at most 63 characters, got "Prod"'],
  ...hosts,
  ...roles,
  ...endpoint,
  ...system,
  ...kubernetes,
  ...etcd,
  ...network,
  ...registry,
  ...storage,
  ...dns,
  ...addons,
  map('extra'),
  [
    'extra.hosts',
    '[{domain: x.example.com, address: 198.51.100.8}]',
    [{ domain: 'x.example.com', address: '198.51.100.8' }],
    '[{domain: x.example.com}]',
    'is missing',
  ],
  ['extra.hosts[0].domain', 'y.example.com', 'y.example.com', 'y y', 'must be a DNS name'],
  ['extra.hosts[0].address', '198.51.100.7', '198.51.100.7', 'y', 'must be an IP address, got "y"'],
  ['extra.resolves', '[{address: 198.51.100.6}]', [{ address: '198.51.100.6' }], '[{}]', 'is missing'],
  ['extra.resolves[0].address', '198.51.100.5', '198.51.100.5', 'dns', 'must be an IP address, got "dns"'],
  ...artifacts,
];

import { describe, expect, it } from 'vitest';
import { fail } from '../../../../src/common/errors/errors.ts';
import type { Facts } from '../../../../src/runner/facts.ts';
import { checks } from '../../../../src/step/preflight/checks.ts';
import { connectionsAmong } from '../../../../src/step/preflight/connectivity/connections.ts';
import { evaluate } from '../../../../src/step/preflight/evaluate.ts';
import type { PortState } from '../../../../src/step/preflight/probe/probe.ts';
import { clusterWith, inputWith, shortFindings, type Deviations } from './check-input.ts';

const VIP = ['controlPlaneEndpoint.internalLoadbalancer=kube-vip', 'controlPlaneEndpoint.lb_address=192.168.10.100'];
const FREE = { pings: false, mac: undefined, connects: false };
const [mount] = inputWith().reports[0]!.facts.mounts;
const [lo, eth0] = inputWith().reports[1]!.facts.interfaces;
const routes = inputWith().reports[0]!.facts.routes;
const taken = (port: number): readonly PortState[] => [
  {
    protocol: 'tcp',
    port,
    state: 'taken',
    reason: '',
    holder: { pid: 812, process: 'haproxy', unit: 'haproxy.service' },
  },
];
const PLAIN = { overlay: 'loaded', br_netfilter: 'loaded', nf_conntrack: 'loaded', vxlan: 'loaded' } as const;
const unreachable = new Map([['node2', fail('SUDO_PASSWORD_MISSING', { host: 'node2', user: 'ops' })]]);

it('has no findings for hosts in good condition', () => {
  expect(evaluate(inputWith())).toEqual([]);
  expect(evaluate(inputWith({ file: VIP, probe: { node1: { vip: FREE } } }))).toEqual([]);
});

it('lists every check once, in order', () => {
  expect(checks.map(({ id }) => id)).toEqual(Array.from({ length: 18 }, (_, index) => `PF${index + 1}`));
});

const cases: readonly (readonly [string, Deviations, readonly string[]])[] = [
  ['a host that asks for a sudo password', { input: { unreachable } }, ['error PF1 node2']],
  ['an unreachable worker, not strict', { input: { unreachable, strict: false } }, ['warning PF1 node2']],
  [
    'an unreachable master, not strict',
    { input: { unreachable: new Map([['node1', new Error('gone')]]), strict: false } },
    ['error PF1 node1'],
  ],
  [
    'an unsupported operating system',
    {
      facts: { node1: { family: 'other', os: { id: 'alpine', idLike: [], versionId: '3.20', prettyName: 'Alpine' } } },
    },
    ['error PF2 node1'],
  ],
  [
    'a newer release of a supported system',
    { facts: { node1: { os: { id: 'debian', idLike: [], versionId: '14', prettyName: 'Debian 14' } } } },
    ['warning PF2 node1'],
  ],
  ['another init system', { facts: { node1: { init: 'init' } } }, ['error PF2 node1']],
  ['another CPU architecture than in the cluster file', { file: ['hosts.node2.arch=arm64'] }, ['error PF2 node2']],
  ['one CPU', { facts: { node2: { cpus: 1 } } }, ['error PF3 node2']],
  ['a master with 2 GB of memory', { facts: { node1: { memoryBytes: 2 * 2 ** 30 } } }, ['error PF3 node1']],
  ['a worker with 2 GB of memory', { facts: { node2: { memoryBytes: 1.9 * 2 ** 30 } } }, []],
  ['a worker with 1 GB of memory', { facts: { node2: { memoryBytes: 2 ** 30 } } }, ['error PF3 node2']],
  [
    'kernel 3.10 with kubeadm 1.33',
    { file: ['kubernetes.version=v1.33.1'], facts: { node1: { kernel: '3.10.0-1160.el7.x86_64' } } },
    ['error PF4 node1'],
  ],
  [
    'kernel 3.10 with Kubernetes 1.31',
    { file: ['kubernetes.version=v1.31.1'], facts: { node1: { kernel: '3.10.0-1160.el7.x86_64' } } },
    [],
  ],
  ['kernel 2.6', { file: ['kubernetes.version=v1.31.1'], facts: { node1: { kernel: '2.6.32' } } }, ['error PF4 node1']],
  ['kernel 4.18 with 1.35', { facts: { node1: { kernel: '4.18.0-513.el8.x86_64' } } }, ['warning PF4 node1']],
  [
    'kernel 5.10 for nftables',
    { file: ['kubernetes.proxyMode=nftables'], facts: { node1: { kernel: '5.10.0' } } },
    ['error PF4 node1'],
  ],
  [
    'a missing module',
    {
      probe: {
        node3: { modules: { overlay: 'loaded', nf_conntrack: 'built-in', nf_tables: 'loaded', vxlan: 'loadable' } },
      },
    },
    ['error PF4 node3'],
  ],
  [
    'no ipvs modules with proxyMode iptables',
    {
      file: ['kubernetes.proxyMode=iptables'],
      probe: { node3: { modules: PLAIN } },
    },
    [],
  ],
  [
    'no nf_tables module where kube-proxy uses it by default',
    { facts: { node3: { kernel: '6.1.0' } }, probe: { node3: { modules: PLAIN } } },
    ['error PF4 node3'],
  ],
  [
    'no ipvs modules with proxyMode ipvs',
    {
      file: ['kubernetes.proxyMode=ipvs'],
      probe: {
        node3: { modules: PLAIN },
      },
    },
    ['error PF4 node3'],
  ],
  [
    'modules not loaded with system.modules: keep',
    {
      file: ['system.modules=keep'],
      probe: {
        node1: { modules: { ...PLAIN, nf_tables: 'built-in' } },
        node2: { modules: { ...PLAIN, nf_tables: 'built-in' } },
        node3: { modules: { ...PLAIN, nf_tables: 'loaded', br_netfilter: 'loadable', vxlan: 'loadable' } },
      },
    },
    ['warning PF4 node3'],
  ],
  [
    'no IP forwarding with system.sysctl: keep',
    { file: ['system.sysctl=keep'], probe: { node3: { settings: { 'net.ipv4.ip_forward': '0' } } } },
    ['error PF4 node3'],
  ],
  ['no IP forwarding yet', { probe: { node3: { settings: { 'net.ipv4.ip_forward': '0' } } } }, []],
  [
    'another host name than in the cluster file, with system.hostname: keep',
    { file: ['system.hostname=keep'], facts: { node1: { hostname: 'debian' } } },
    ['warning PF5 node1'],
  ],
  [
    'a host name that resolves to 127.0.1.1, with system.etcHosts: keep',
    { file: ['system.etcHosts=keep'], probe: { node1: { ownAddresses: ['127.0.1.1'] } } },
    ['warning PF5 node1'],
  ],
  ['a host name with uppercase letters', { facts: { node1: { hostname: 'Node_1' } } }, ['error PF5 node1']],
  [
    'a host name that resolves to loopback',
    { probe: { node1: { ownAddresses: ['127.0.0.1'] } } },
    ['warning PF5 node1'],
  ],
  ['a host name that resolves to 127.0.1.1', { probe: { node1: { ownAddresses: ['127.0.1.1'] } } }, ['note PF5 node1']],
  ['a host name that does not resolve', { probe: { node1: { ownAddresses: [] } } }, ['warning PF5 node1']],
  ['another host name than in the cluster file', { facts: { node1: { hostname: 'debian' } } }, ['note PF5 node1']],
  ['a clock 20 s behind', { facts: { node2: { clockSkewMs: -20_000 } } }, ['error PF6 node2']],
  ['a clock 1 s ahead on an etcd host', { facts: { node1: { clockSkewMs: 1000 } } }, ['warning PF6 node1']],
  [
    'a clock 1 s ahead on a master with stacked etcd',
    {
      file: ['etcd.type=kubeadm', 'roleGroups.etcd=[]', 'roleGroups.master=[node2]'],
      facts: { node2: { clockSkewMs: 1000 } },
    },
    ['warning PF6 node2'],
  ],
  [
    'a taken etcd peer port on a master with stacked etcd',
    {
      file: ['etcd.type=kubeadm', 'roleGroups.etcd=[]', 'roleGroups.master=[node2]'],
      probe: { node2: { ports: taken(2380) } },
    },
    ['error PF8 node2'],
  ],
  [
    'a taken port that the API server is configured to use',
    {
      file: ['kubernetes.apiserver.extraArgs={secure-port: "7443"}', 'controlPlaneEndpoint.port=7443'],
      probe: { node1: { ports: taken(7443) } },
    },
    ['error PF8 node1'],
  ],
  ['a clock 1 s ahead on a worker', { facts: { node2: { clockSkewMs: 1000 } } }, []],
  [
    'the local clock a minute behind',
    { facts: { node1: { clockSkewMs: 60_000 }, node2: { clockSkewMs: 60_000 }, node3: { clockSkewMs: 60_100 } } },
    ['warning PF6 local'],
  ],
  ['no time service', { facts: { node2: { services: {} } } }, ['error PF6 node2']],
  [
    'no time service, but ntpServers are configured',
    { file: ['system.ntpServers=[ntp.example.com]'], facts: { node2: { services: {} } } },
    ['warning PF6 node2'],
  ],
  ['a clock that is not synchronized', { probe: { node2: { timeIsSynchronized: false } } }, ['warning PF6 node2']],
  [
    'a kubelet of a previous installation',
    { probe: { node1: { leftovers: [{ kind: 'unit', name: 'kubelet.service', owner: 'package kubelet 1.28.2' }] } } },
    ['error PF7 node1'],
  ],
  [
    'CNI files of a previous installation',
    { probe: { node1: { leftovers: [{ kind: 'folder', name: '/etc/cni/net.d', owner: 'root' }] } } },
    ['warning PF7 node1'],
  ],
  [
    'a network interface of a previous installation',
    { facts: { node2: { interfaces: [lo!, eth0!, { name: 'flannel.1', mac: 'x', mtu: 1450, addresses: [] }] } } },
    ['warning PF7 node2'],
  ],
  [
    'a kubelet of this cluster',
    {
      probe: {
        node1: {
          clusters: ['test'],
          leftovers: [{ kind: 'unit', name: 'kubelet.service', owner: '' }],
          ports: taken(6443),
        },
      },
    },
    [],
  ],
  ['a taken port', { probe: { node1: { ports: taken(6443) } } }, ['error PF8 node1']],
  [
    'a port that cannot be bound',
    {
      probe: {
        node1: {
          ports: [{ protocol: 'tcp', port: 2379, state: 'refused', reason: 'Permission denied', holder: undefined }],
        },
      },
    },
    ['error PF8 node1'],
  ],
  [
    'a taken port without a listener to test it',
    {
      facts: { node2: { listening: [{ protocol: 'tcp', address: '::', port: 10_250, process: 'java' }] } },
      probe: { node2: { ports: [], listener: undefined } },
    },
    ['error PF8 node2', 'note PF12 node2'],
  ],
  ['no resolv.conf', { probe: { node1: { resolvers: undefined } } }, ['error PF9 node1']],
  [
    'an endpoint that does not resolve, with system.etcHosts: keep',
    { file: ['system.etcHosts=keep'], probe: { node2: { resolvedNames: new Set() } } },
    ['error PF9 node2'],
  ],
  ['an endpoint that create cluster adds to /etc/hosts', { probe: { node2: { resolvedNames: new Set() } } }, []],
  ['an empty resolv.conf', { probe: { node1: { resolvers: [] } } }, ['error PF9 node1']],
  [
    'an empty resolv.conf with resolvers in the cluster file',
    { file: ['extra.resolves=[{address: 192.168.10.1}]'], probe: { node1: { resolvers: [] } } },
    ['warning PF9 node1'],
  ],
  [
    'a name server that does not answer',
    { probe: { node1: { resolvers: [{ address: '192.0.2.1', answers: false }] } } },
    ['warning PF9 node1'],
  ],
  [
    'a name server that Pods cannot reach',
    { probe: { node1: { resolvers: [{ address: '127.0.0.1', answers: true }] } } },
    ['warning PF9 node1'],
  ],
  ['SELinux', { probe: { node1: { selinux: 'enforcing' } } }, ['warning PF10 node1']],
  ['a firewall', { probe: { node1: { firewalls: ['ufw'] } } }, ['warning PF10 node1']],
  ['swap', { facts: { node1: { swapBytes: 2 ** 30 } } }, ['warning PF10 node1']],
  [
    'swap with system.swap: keep',
    { file: ['system.swap=keep'], facts: { node1: { swapBytes: 2 ** 30 } } },
    ['error PF10 node1'],
  ],
  [
    'swap with failSwapOn: false',
    {
      file: ['system.swap=keep', 'kubernetes.kubeletConfiguration={failSwapOn: false}'],
      facts: { node1: { swapBytes: 2 ** 30 } },
    },
    ['note PF10 node1'],
  ],
  [
    'a warning about the cluster file',
    {
      input: {
        lint: [
          {
            severity: 'warning',
            rule: 'kubernetes-version-maintained',
            place: 'cluster.yaml:9:5',
            path: 'spec.kubernetes.version',
            message: 'is old',
          },
        ],
      },
    },
    ['warning PF11 file'],
  ],
  [
    'a host network inside the Pod CIDR',
    {
      facts: {
        node2: { routes: [...routes, { destination: '10.233.65.0/24', gateway: undefined, interface: 'eth1' }] },
      },
    },
    ['error PF11 node2'],
  ],
  ['no default route', { facts: { node2: { routes: routes.slice(1) } } }, ['warning PF12 node2']],
  [
    'no sysctl',
    {
      probe: {
        node2: { commands: new Set([...inputWith().reports[1]!.probe.commands].filter((name) => name !== 'sysctl')) },
      },
    },
    ['error PF13 node2'],
  ],
  [
    'no socat yet',
    {
      probe: {
        node2: { commands: new Set([...inputWith().reports[1]!.probe.commands].filter((name) => name !== 'socat')) },
      },
    },
    ['note PF13 node2'],
  ],
  [
    'no socat with system.packages: keep',
    {
      file: ['system.packages=keep'],
      probe: {
        node2: { commands: new Set([...inputWith().reports[1]!.probe.commands].filter((name) => name !== 'socat')) },
      },
    },
    ['error PF13 node2'],
  ],
  [
    'an old nft',
    { file: ['kubernetes.proxyMode=nftables'], probe: { node2: { nftVersion: '0.9.8' } } },
    ['error PF13 node2'],
  ],
  [
    'little free disk space',
    { facts: { node2: { mounts: [{ ...mount!, freeBytes: 12 * 2 ** 30 }] } } },
    ['error PF14 node2'],
  ],
  [
    'a nearly full disk',
    { facts: { node2: { mounts: [{ ...mount!, sizeBytes: 2 ** 40, freeBytes: 60 * 2 ** 30 }] } } },
    ['warning PF14 node2'],
  ],
  ['an XFS file system without ftype', { probe: { node2: { xfsWithoutFtype: true } } }, ['error PF14 node2']],
  ['few inodes', { facts: { node2: { mounts: [{ ...mount!, freeInodes: 5000 }] } } }, ['error PF14 node2']],
  [
    'a small /var/lib/kubelet',
    { facts: { node2: { mounts: [mount!, { ...mount!, path: '/var/lib/kubelet', freeBytes: 2 ** 30 }] } } },
    ['error PF14 node2'],
  ],
  ['a read-only file system', { facts: { node2: { mounts: [{ ...mount!, options: ['ro'] }] } } }, ['error PF14 node2']],
  [
    '/opt mounted noexec',
    { facts: { node2: { mounts: [mount!, { ...mount!, path: '/opt', options: ['noexec'] }] } } },
    ['error PF14 node2'],
  ],
  ['a duplicate machine-id', { facts: { node3: { machineId: 'id-1' } } }, ['error PF15 node3']],
  [
    'a duplicate host name',
    { facts: { node3: { hostname: 'node2' } } },
    ['note PF5 node3', 'error PF15 node3'].toSorted(),
  ],
  ['a duplicate product_uuid', { facts: { node3: { productUuid: 'uuid-1' } } }, ['error PF15 node3']],
  [
    'a duplicate product_uuid in containers',
    { facts: { node3: { productUuid: 'uuid-1', virtualization: { type: 'container', name: 'lxc' } } } },
    ['note PF15 node3'],
  ],
  [
    'a duplicate MAC address',
    { facts: { node3: { interfaces: [lo!, { ...eth0!, addresses: ['192.168.10.13/24'] }] } } },
    ['error PF15 node3'],
  ],
  [
    'a duplicate address',
    {
      facts: {
        node3: { interfaces: [lo!, { ...eth0!, mac: 'y', addresses: ['192.168.10.13/24', '192.168.10.12/24'] }] },
      },
    },
    ['error PF15 node3'],
  ],
  [
    'an internal address that no interface has',
    { facts: { node3: { interfaces: [lo!, { ...eth0!, mac: 'y', addresses: ['172.16.0.9/24'] }] } } },
    ['error PF15 node3'],
  ],
  [
    'a virtual IP that answers ARP',
    { file: VIP, probe: { node1: { vip: { ...FREE, mac: '52:54:00:aa:bb:cc' } } } },
    ['error PF16 node1'],
  ],
  [
    'a virtual IP that answers ping',
    { file: VIP, probe: { node1: { vip: { ...FREE, pings: true } } } },
    ['error PF16 node1'],
  ],
  [
    'a virtual IP that a host already has',
    {
      file: VIP,
      facts: { node2: { interfaces: [lo!, { ...eth0!, addresses: ['192.168.10.12/24', '192.168.10.100/32'] }] } },
    },
    ['error PF16 node2'],
  ],
  [
    'a virtual IP outside of the host subnets',
    { file: [VIP[0]!, 'controlPlaneEndpoint.lb_address=192.168.99.100'], probe: { node1: { vip: FREE } } },
    ['warning PF16 node1'],
  ],
  [
    'a slow etcd disk',
    { probe: { node1: { syncedWrites: Array.from({ length: 200 }, () => 0.03) } } },
    ['warning PF17 node1'],
  ],
  [
    'an etcd disk slower than the heartbeat interval',
    { probe: { node1: { syncedWrites: Array.from({ length: 20 }, () => 0.3) } } },
    ['error PF17 node1'],
  ],
  [
    'a disk with hiccups',
    { probe: { node1: { syncedWrites: [0.2, 0.2, 0.2, ...Array.from({ length: 197 }, () => 0.001)] } } },
    ['warning PF17 node1'],
  ],
  ['one hiccup of 200', { probe: { node1: { syncedWrites: [0.2, ...Array.from({ length: 199 }, () => 0.001)] } } }, []],
  ['cgroup v1 with 1.35', { facts: { node2: { cgroup: 'v1' } } }, ['error PF18 node2']],
  ['cgroup hybrid with 1.35', { facts: { node2: { cgroup: 'hybrid' } } }, ['error PF18 node2']],
  [
    'cgroup v1 with failCgroupV1: false',
    { file: ['kubernetes.kubeletConfiguration={failCgroupV1: false}'], facts: { node2: { cgroup: 'v1' } } },
    ['note PF18 node2'],
  ],
  [
    'cgroup v1 with 1.34',
    { file: ['kubernetes.version=v1.34.4'], facts: { node2: { cgroup: 'v1' } } },
    ['warning PF18 node2'],
  ],
  ['cgroup v1 with 1.30', { file: ['kubernetes.version=v1.30.4'], facts: { node2: { cgroup: 'v1' } } }, []],
];

it.each(cases)('reports %s', (_, deviations, expected) => {
  expect(shortFindings(inputWith(deviations)).toSorted()).toEqual(expected.toSorted());
});

it('does not depend on the order of the reports', () => {
  const input = inputWith({ facts: { node3: { machineId: 'id-1', hostname: 'node2' } } });
  const late = { ...input, reports: input.reports.toReversed() };
  expect(evaluate(input)).not.toEqual([]);
  expect(evaluate(late)).toEqual(evaluate(input));
});

it('covers every check', () => {
  const reported = new Set(cases.flatMap(([, , findings]) => findings.map((finding) => finding.split(' ')[1])));
  expect(reported).toEqual(new Set(checks.map(({ id }) => id)));
});

describe('the fix for a wrong clock', () => {
  const fixWith = (services: Facts['services']) =>
    evaluate(inputWith({ facts: { node2: { clockSkewMs: -20_000, services } } })).find(({ check }) => check === 'PF6')!
      .fix;

  it('uses the installed time service, and installs chrony only if there is none', () => {
    expect(fixWith({ chrony: 'active' })).toBe('systemctl enable --now chrony && chronyc makestep');
    expect(fixWith({ 'systemd-timesyncd': 'active' })).toBe('systemctl restart systemd-timesyncd');
    expect(fixWith({ ntpsec: 'active' })).toBe('systemctl restart ntpsec');
    expect(fixWith({})).toBe(
      'apt-get update && apt-get install -y chrony && systemctl enable --now chrony && chronyc makestep',
    );
  });
});

describe('a port that other hosts cannot reach', () => {
  const cluster = clusterWith();
  const [first] = connectionsAmong(cluster, cluster.hosts);
  const attempt = { ...first!, outcome: 'timed-out' as const, detail: 'no response within 8 s' };

  it('is one error for all callers', () => {
    const other = { ...attempt, from: cluster.hosts[2]! };
    const findings = evaluate(inputWith({ input: { attempts: [attempt, other] } }));
    expect(findings).toMatchObject([{ check: 'PF12', severity: 'error', host: attempt.to.name }]);
    expect(findings[0]!.found).toContain(`${attempt.from.name}, node3 cannot reach`);
  });
  it('is a note if create cluster opens the firewall, an error if system.firewall is keep', () => {
    const name = attempt.to.name;
    const deviations: Deviations = {
      input: { attempts: [attempt] },
      probe: { [name]: { firewalls: ['firewalld'] } },
      facts: { [name]: { services: { chrony: 'active', firewalld: 'active' } } },
    };
    expect(shortFindings(inputWith(deviations))).toEqual([`warning PF10 ${name}`, `note PF12 ${name}`]);
    const kept = evaluate(inputWith({ ...deviations, file: ['system.firewall=keep'] }));
    expect(kept[0]).toMatchObject({ check: 'PF12', severity: 'error' });
    expect(kept[0]!.fix).toBe('firewall-cmd --permanent --add-port=8472/udp && firewall-cmd --reload');
  });
  it.each([
    ['rules', 'ufw', 'note'],
    ['rules', 'nftables', 'error'],
    ['rules', 'iptables', 'error'],
    ['disable', 'nftables', 'note'],
    ['disable', 'iptables', 'error'],
  ])('with system.firewall: %s and %s is reported as %s', (firewall, filter, severity) => {
    const { name } = attempt.to;
    const findings = evaluate(
      inputWith({
        file: [`system.firewall=${firewall}`],
        input: { attempts: [attempt] },
        probe: { [name]: { firewalls: [filter] } },
        facts: { [name]: { services: { chrony: 'active', nftables: 'active' } } },
      }),
    );
    expect(findings.find(({ check }) => check === 'PF12')).toMatchObject({ severity });
    const will = findings.find(({ check }) => check === 'PF10')!.wanted;
    expect(will.startsWith('create cluster')).toBe(severity === 'note');
  });
  it('is an error if another host answers', () => {
    const findings = evaluate(
      inputWith({ input: { attempts: [{ ...attempt, outcome: 'another-host', detail: 'kubexm x' }] } }),
    );
    expect(findings[0]!.found).toContain('reached another host');
  });
});

it.each([
  ['kube-vip', VIP, 'ip addr del 192.168.10.100/32 dev eth0'],
  [
    'keepalived',
    [
      'controlPlaneEndpoint.externalLoadBalancer=kubexm-kh',
      'controlPlaneEndpoint.lb_address=192.168.10.100',
      'roleGroups.loadbalancer=["node2"]',
    ],
    'systemctl disable --now keepalived; ip addr del 192.168.10.100/32 dev eth0',
  ],
])('names the command that removes a virtual IP left by %s', (_, file, fix) => {
  const interfaces = [lo!, { ...eth0!, addresses: ['192.168.10.12/24', '192.168.10.100/32'] }];
  const found = evaluate(inputWith({ file, facts: { node2: { interfaces } } })).filter(({ check }) => check === 'PF16');
  expect(found.map((finding) => finding.fix)).toEqual([fix]);
});

it('does not report a used virtual IP while a host that may hold it was not probed', () => {
  const deviations = { file: VIP, probe: { node2: { vip: { ...FREE, pings: true } } } };
  expect(shortFindings(inputWith(deviations))).toEqual(['error PF16 node2']);
  const input = inputWith(deviations);
  expect(shortFindings({ ...input, reports: input.reports.slice(1) })).toEqual([]);
});

it('reports everything at once, errors first', () => {
  const bad = evaluate(
    inputWith({
      facts: { node1: { cpus: 1, cgroup: 'v1', swapBytes: 5 }, node2: { clockSkewMs: 9000, services: {} } },
      probe: {
        node1: { ports: taken(6443), resolvers: [] },
        node3: { leftovers: [{ kind: 'process', name: 'etcd', owner: 'pid 9' }] },
      },
    }),
  );
  expect(bad.map(({ check }) => check)).toEqual(['PF3', 'PF8', 'PF9', 'PF18', 'PF6', 'PF6', 'PF7', 'PF10']);
});

it('compares new hosts with established ones, which are not checked themselves', () => {
  const input = inputWith({
    facts: { node1: { cpus: 1 }, node2: { clockSkewMs: 8000 }, node3: { clockSkewMs: 8000 } },
  });
  const established = ['node1'];
  expect(evaluate({ ...input, established }).map(({ check, host }) => `${check} ${host}`)).toEqual([
    'PF6 node2',
    'PF6 node3',
    'PF6 local',
  ]);
});

it('turns errors of ignored checks into warnings', () => {
  const input = inputWith({ facts: { node1: { cpus: 1, cgroup: 'v1' } } });
  expect(evaluate(input, ['PF3']).map(({ check, severity }) => `${check} ${severity}`)).toEqual([
    'PF18 error',
    'PF3 warning',
  ]);
});

it('gives every finding a found, wanted and fix text of one line', () => {
  for (const [, deviations] of cases)
    for (const { found, wanted, fix } of evaluate(inputWith(deviations)))
      for (const text of [found, wanted, fix]) expect(text).toMatch(/^\S[^\n]*\S$/);
});

it('has only severities that the check declares', () => {
  const declared = new Map(checks.map(({ id, severities }) => [id, severities]));
  for (const [, deviations] of cases)
    for (const { check, severity } of evaluate(inputWith(deviations)))
      expect(declared.get(check), check).toContain(severity);
});

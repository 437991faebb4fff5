import { expect, it } from 'vitest';
import { check, fixture, lines } from './check.ts';

const full = fixture('full.yaml');
const withLb = full.replace('registry: [node4]', 'registry: [node4]\n    loadbalancer: [node3]');
const insert = (text: string, block: string) => text.replace('  system:', `${block}\n  system:`);

/** A block with aliases, the canonical field, its value, and the note about it. */
const cases: readonly (readonly [block: string, at: string, value: unknown, note: string, base?: string])[] = [
  [
    '  loadBalancer: { mode: external, external: { type: kubexm-kn }, vip: 198.51.100.100 }',
    'controlPlaneEndpoint.externalLoadBalancer',
    'kubexm-kn',
    'spec.loadBalancer.external.type: is read as spec.controlPlaneEndpoint.externalLoadBalancer',
    withLb,
  ],
  [
    '  loadBalancer: { mode: internal, internal: { type: nginx } }',
    'controlPlaneEndpoint.internalLoadbalancer',
    'nginx',
    'spec.loadBalancer.internal.type: is read as spec.controlPlaneEndpoint.internalLoadbalancer',
  ],
  [
    '  loadBalancer: { vip: 198.51.100.100 }',
    'controlPlaneEndpoint.lb_address',
    '198.51.100.100',
    'spec.loadBalancer.vip: is read as spec.controlPlaneEndpoint.lb_address',
  ],
  [
    '  runtime: { type: docker }',
    'kubernetes.containerRuntime.type',
    'docker',
    'spec.runtime.type: is read as spec.kubernetes.containerRuntime.type',
  ],
  ['  containerManager: crio', 'kubernetes.containerRuntime.type', 'cri-o', '"crio" is read as "cri-o"'],
  [
    '  network: { podCidr: 10.100.0.0/18 }',
    'network.kubePodsCIDR',
    '10.100.0.0/18',
    'spec.network.podCidr: is read as spec.network.kubePodsCIDR',
  ],
  [
    '  network: { serviceCidr: 10.101.0.0/18 }',
    'network.kubeServiceCIDR',
    '10.101.0.0/18',
    'spec.network.serviceCidr: is read as spec.network.kubeServiceCIDR',
  ],
  [
    '  highAvailability: { keepalived: { vrid: 9 } }',
    'controlPlaneEndpoint.keepalived.vrid',
    9,
    'spec.highAvailability.keepalived.vrid: is read as spec.controlPlaneEndpoint.keepalived.vrid',
  ],
  [
    '  highAvailability: { kubevip: { interface: eth1 } }',
    'controlPlaneEndpoint.kubevip.interface',
    'eth1',
    'spec.highAvailability.kubevip.interface: is read as spec.controlPlaneEndpoint.kubevip.interface',
  ],
];

it.each(cases.map(([block, at, value, note, base = full]) => ({ block, at, value, note, base })))(
  'reads $block',
  ({ block, at, value, note, base }) => {
    const checked = check(insert(base, block));
    expect(lines(checked)).toEqual([]);
    expect(at.split('.').reduce<unknown>((node, key) => Object(node)[key], checked.file?.spec)).toEqual(value);
    expect(lines(checked, 'note').join('\n')).toContain(note);
  },
);

it('reads address, vip and control-plane', () => {
  const endpoint = full
    .replace('    keepalived: {}', '    address: 198.51.100.100\n    keepalived: {}')
    .replace('    master:', '    control-plane:');
  const checked = check(endpoint);
  expect(lines(checked)).toEqual([]);
  expect(checked.file?.spec.controlPlaneEndpoint.lb_address).toBe('198.51.100.100');
  expect(checked.file?.spec.roleGroups.master).toEqual(['node1']);
  expect(
    check(full.replace('    keepalived: {}', '    vip: 198.51.100.100\n    keepalived: {}')).file?.spec
      .controlPlaneEndpoint.lb_address,
  ).toBe('198.51.100.100');
});

it.each(['{ address: 198.51.100.9 }', '[{ address: 198.51.100.9 }]', '198.51.100.9', '[198.51.100.9]'])(
  'reads etcdresolve: %s',
  (value) => {
    const checked = check(full.replace('    resolves: [{ address: 198.51.100.53 }]', `    etcdresolve: ${value}`));
    expect(checked.file?.spec.extra.resolves).toEqual([{ address: '198.51.100.9' }]);
  },
);

it('rejects an alias and a canonical field with different values', () => {
  const twice = insert(full, '  runtime: { type: docker }').replace(
    'version: v1.35.8',
    'version: v1.35.8\n    containerRuntime: { type: containerd }',
  );
  expect(lines(check(twice))).toEqual([
    'c.yaml:22:14 spec.runtime.type: is another name for spec.kubernetes.containerRuntime.type, which has a different value; keep one of them',
  ]);
});

it('reports an alias with an invalid value as an unknown key', () => {
  const checked = check(full.replace('version: v1.35.8', 'version: v1.35.8\n    kubeletArgs: { v: 2 }'));
  expect(lines(checked).join('\n')).toContain('spec.kubernetes.kubeletArgs: is not a known key');
});

it('accepts any feature gate of a release that is older than the table', () => {
  const gates = 'featureGates: { CSIStorageCapacity: true, TTLAfterFinished: true, NoSuchGate: true }';
  const checked = check(full.replace('version: v1.35.8', `version: v1.21.5\n    ${gates}`));
  expect(lines(checked)).toEqual([]);
  expect(lines(checked, 'warning').join('\n')).toContain('spec.kubernetes.version');
});

it('ignores KubeKey fields without a counterpart with a warning', () => {
  const rewrite = 'namespaceRewrite: { policy: changePrefix, src: [namespace1], dest: library }';
  const checked = check(
    fixture('../../examples/kubekey.yaml').replace('\n  registry:\n', `\n  registry:\n    ${rewrite}\n`),
  );
  expect(lines(checked)).toEqual([]);
  expect(lines(checked, 'warning').join('\n')).toContain(
    'spec.registry.namespaceRewrite: has no equivalent in kubexm and is ignored',
  );
});

it('reads skipConfigureOS of KubeKey as keep, except for packages', () => {
  const checked = check(
    fixture('../../examples/kubekey.yaml').replace('\n  network:', '\n  system: { skipConfigureOS: true }$&'),
  );
  expect(lines(checked)).toEqual([]);
  expect(checked.file?.spec.system).toMatchObject({
    hostname: 'keep',
    sysctl: 'keep',
    firewall: 'keep',
    packages: 'install',
  });
  expect(lines(checked, 'note').join('\n')).toContain(
    'spec.system.skipConfigureOS: is read as keep for hostname, etcHosts, selinux, swap, modules, sysctl, firewall',
  );
});

it('reads a flag without a value as true', () => {
  const text = full.replace(
    'version: v1.35.8',
    'version: v1.35.8\n    kubeletArgs: [--root-dir=/x, --v=, --profiling]',
  );
  expect(check(text).file?.spec.kubernetes.kubelet.extraArgs).toEqual({ 'root-dir': '/x', v: '', profiling: 'true' });
});

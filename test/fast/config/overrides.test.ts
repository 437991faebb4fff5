import { expect, it } from 'vitest';
import { check, fixture, lines } from './check.ts';

const full = fixture('full.yaml');
const spec = (...overrides: string[]) => check(full, overrides).file?.spec;

it('overrides values by path, with or without spec, by index or by name', () => {
  expect(spec('kubernetes.version=v1.36.3')?.kubernetes.version).toBe('1.36.3');
  expect(spec('spec.kubernetes.maxPods=99')?.kubernetes.maxPods).toBe(99);
  expect(spec('hosts[1].port=2222')?.hosts[1]?.port).toBe(2222);
  expect(spec('hosts.node3.port=2223')?.hosts[2]?.port).toBe(2223);
  expect(check(full, ['metadata.name=other']).cluster?.name).toBe('other');
});

it('uses the last of several overrides', () => expect(spec('etcd.maxWals=1', 'etcd.maxWals=2')?.etcd.maxWals).toBe(2));

it('locates errors on the command line', () => {
  expect(lines(check(full, ['kubernetes.type=k3s']))).toEqual([
    '-e kubernetes.type spec.kubernetes.type: is not allowed, got "k3s", allowed: kubeadm, kubexm',
  ]);
});

it.each([
  ['nothing', 'the = is missing'],
  ['=x', 'the key before the = is missing'],
  ['kubernetes.version.x=1', 'a part of the key is not a map'],
  ['hosts[9].port=1', 'spec.hosts has no item 9'],
  ['hosts.nod2.port=1', 'spec.hosts has no item nod2 (did you mean node2?)'],
  ['.=5', 'the key before the = is missing'],
  ['kubernetes.version=[', 'the value is not valid YAML'],
])('explains -e %s', (override, reason) =>
  expect(() => check(full, [override])).toThrow(`An override has the form key=value, but ${reason}.`),
);

it('never shows the value of an invalid override, which may be a password', () => {
  expect(() => check(full, ['hosts[9].password=hunter2'])).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  );
});

it('takes the value of a secret literally', () => {
  const passwordOf = (text: string) => {
    const password = spec(`hosts.node1.password=${text}`)?.hosts[0]?.password;
    return password?.type === 'value' ? password.value.reveal() : password;
  };
  expect(passwordOf('123456')).toBe('123456');
  expect(passwordOf('@a: [b')).toBe('@a: [b');
  expect(passwordOf('{env: X}')).toEqual({ type: 'env', name: 'X' });
});

it('overrides a field under any of its names', () => {
  const file = full.replace('  system:', '  network: { podCidr: 10.100.0.0/18 }\n  system:');
  expect(check(file, ['network.kubePodsCIDR=10.101.0.0/18']).file?.spec.network.kubePodsCIDR).toBe('10.101.0.0/18');
  expect(check(file, ['network.podCidr=10.102.0.0/18']).file?.spec.network.kubePodsCIDR).toBe('10.102.0.0/18');
});

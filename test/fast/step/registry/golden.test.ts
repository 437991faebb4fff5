import { describe, expect, it } from 'vitest';
import { privateName } from '../../../../src/resource/oci/target-name.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { createRegistryPipeline, deleteRegistryPipeline } from '../../../../src/pipeline/registry.ts';
import { outline } from '../../../../src/plan/outline.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { certificatesOf } from '../../../../src/step/registry/certificates.ts';
import { isManaged } from '../../../../src/step/registry/managed-registry.ts';
import { harborConfig } from '../../../../src/template/harbor.ts';
import { registryConfig } from '../../../../src/template/registry.ts';
import { registryUnits } from '../../../../src/template/registry-units.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';

const load = (...overrides: readonly string[]) =>
  loadCluster('examples/ha-haproxy.yaml', { overrides: ['roleGroups.registry=["node1"]', ...overrides] });
const golden = (name: string) => `../../../golden/registry/${name}`;

describe('the plan', () => {
  it.each(['registry', 'harbor', 'external'])('for %s', async (type) => {
    const cluster = await load(`registry.type=${type}`, 'registry.privateRegistry=images.example.com');
    const plans = [
      createRegistryPipeline({ push: true }),
      deleteRegistryPipeline({ preserveData: false }),
      deleteRegistryPipeline({ preserveData: true }),
    ].map((pipeline) => outline(plan(pipeline, cluster, fakeAssets(cluster, ['registry', 'runtime']))));
    await expect(`${plans.join('\n\n')}\n`).toMatchFileSnapshot(golden(`plan-${type}.txt`));
  });
});

describe('the files', () => {
  const paths = { certificate: '/etc/r/tls.crt', key: '/etc/r/tls.key', passwords: '/etc/r/htpasswd' };
  const config = { port: 443, dataDir: '/mnt/registry', paths, tls: true, login: true, readOnly: false };

  it.each([
    ['config.yml', config],
    ['config-plain.yml', { ...config, port: 5000, tls: false, login: false }],
    ['config-read-only.yml', { ...config, readOnly: true }],
    ['config-anonymous-pull.yml', { ...config, login: false, readOnly: true }],
  ])('%s of the registry', async (name, options) => {
    await expect(registryConfig(options)).toMatchFileSnapshot(golden(name));
  });

  it.each([
    ['units.txt', 443, false],
    ['units-high-port.txt', 5000, false],
    ['units-anonymous-pull.txt', 443, true],
  ])('%s of the registry', async (name, port, anonymousPull) => {
    const units = registryUnits({
      program: '/usr/local/bin/registry',
      user: 'kubexm-registry',
      dataDir: '/mnt/registry',
      config: '/etc/r/config.yml',
      readOnlyConfig: '/etc/r/read-only.yml',
      port,
      anonymousPull,
    });
    const text = Object.entries(units).map(([unit, content]) => `--- ${unit}\n${content}`);
    await expect(text.join('\n')).toMatchFileSnapshot(golden(name));
  });

  it('harbor.yml', async () => {
    const text = harborConfig({
      version: '2.15.2',
      hostname: 'images.example.com',
      port: 443,
      certificate: '/etc/r/tls.crt',
      key: '/etc/r/tls.key',
      adminPassword: 'admin: "it\'s"',
      databasePassword: '#1',
      dataDir: '/data',
    });
    await expect(text).toMatchFileSnapshot(golden('harbor.yml'));
  });
});

it('issues a certificate for every name and address of the host', async () => {
  const cluster = await load('registry.privateRegistry=images.example.com:5443');
  const { registry } = cluster;
  if (!isManaged(registry)) throw new TypeError('the registry is not managed');
  const [own] = certificatesOf(cluster, registry).certificates;
  const { address } = cluster.hosts[0]!.login;
  expect(own).toMatchObject({
    commonName: 'images.example.com',
    dns: ['images.example.com', 'node1', 'localhost'],
    ips: [address, '127.0.0.1'],
    usages: ['server'],
  });
});

describe('the name of an image in a private registry', () => {
  it.each([
    ['registry', '', 'registry.k8s.io/kube-proxy:v1.36.3', 'images.example.com/kube-proxy:v1.36.3'],
    ['registry', '', 'registry.k8s.io/coredns/coredns:v1.13.1', 'images.example.com/coredns/coredns:v1.13.1'],
    ['registry', '', 'haproxy:3.2', 'images.example.com/library/haproxy:3.2'],
    ['registry', 'kube', 'registry.k8s.io/coredns/coredns:v1.13.1', 'images.example.com/kube/coredns:v1.13.1'],
    ['harbor', '', 'registry.k8s.io/kube-proxy:v1.36.3', 'images.example.com/library/kube-proxy:v1.36.3'],
    ['harbor', 'a/b', 'quay.io/calico/node:v3.32.2', 'images.example.com/a/b/node:v3.32.2'],
  ])('of type %s with the project "%s": %s is %s', async (type, project, ref, name) => {
    const { registry } = await load(
      `registry.type=${type}`,
      'registry.privateRegistry=images.example.com',
      `registry.namespaceOverride=${project}`,
    );
    if (registry.type === 'none') throw new TypeError('no registry');
    expect(privateName(registry, ref)).toBe(name);
  });
});

import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { loadCluster } from '../../../src/config/load/load.ts';
import { configuredApiserverFlags } from '../../../src/template/kubernetes/configured-flags.ts';
import { encryptionConfig, hasSameKey, readableOnly } from '../../../src/template/kubernetes/encryption.ts';
import { protectsKernelDefaults } from '../../../src/template/kubernetes/hardening.ts';
import { apiserverFlags } from '../../../src/template/kubernetes/apiserver-files.ts';
import { kubeletConfiguration } from '../../../src/template/kubeadm/kubelet-configuration.ts';

const load = (...overrides: readonly string[]) => loadCluster('test/fixtures/kubeadm.yaml', { overrides });
const CIS = 'security.profile=cis';
const flag = (name: string, value: string) => `kubernetes.apiserver.extraArgs={${name}: "${value}"}`;

describe('admission plugins of the cluster file', () => {
  it('are added to those of kubexm', async () => {
    const plugins = flag('enable-admission-plugins', 'AlwaysPullImages,NodeRestriction');
    const enabled = async (...overrides: readonly string[]) =>
      configuredApiserverFlags(await load(...overrides))['enable-admission-plugins'];
    expect(await enabled()).toBe('NodeRestriction');
    expect(await enabled(plugins)).toBe('NodeRestriction,AlwaysPullImages');
    expect(await enabled(CIS, plugins)).toBe('NodeRestriction,DenyServiceExternalIPs,EventRateLimit,AlwaysPullImages');
  });
});

describe('fields of the cluster file', () => {
  it('take precedence over the profile', async () => {
    const cluster = await load(CIS, 'kubernetes.audit=false', 'kubernetes.encryptionAtRest={enabled: false}');
    expect([cluster.kubernetes.audit, cluster.kubernetes.encryptionAtRest]).toEqual([false, false]);
    expect(apiserverFlags(cluster)).not.toHaveProperty('audit-log-path');
    const seccomp = await load(CIS, 'kubernetes.kubeletConfiguration.seccompDefault=false');
    expect(kubeletConfiguration(seccomp)).toMatchObject({ seccompDefault: false });
    expect(configuredApiserverFlags(await load(flag('profiling', 'true')))['profiling']).toBe('true');
  });

  it('replace the configuration of authentication and admission as a whole', async () => {
    const flags = async (...overrides: readonly string[]) => apiserverFlags(await load(CIS, ...overrides));
    expect(await flags()).toHaveProperty('authentication-config');
    expect(await flags(flag('anonymous-auth', 'true'))).not.toHaveProperty('authentication-config');
    expect(await flags(flag('admission-control-config-file', '/a.yaml'))).not.toHaveProperty(
      'admission-control-config-file',
    );
  });
});

it('anonymous requests are limited only by releases that can', async () => {
  const limits = async (version: string) =>
    'authentication-config' in apiserverFlags(await load(CIS, `kubernetes.version=${version}`));
  expect([await limits('1.31.14'), await limits('1.32.0')]).toEqual([false, true]);
});

it('kubelets protect kernel parameters only where kubexm sets them', async () => {
  const protects = async (type: string, ...overrides: readonly string[]) =>
    protectsKernelDefaults(await load(...overrides), { virtualization: { type } });
  expect(await protects('vm')).toBe(true);
  expect(await protects('container')).toBe(false);
  expect(await protects('vm', 'system.sysctl=keep')).toBe(false);
  expect(await protects('vm', 'kubernetes.kubeletConfiguration.protectKernelDefaults=false')).toBe(false);
});

describe('the encryption configuration', () => {
  const config = encryptionConfig(new Secret('a2V5a2V5a2V5'));

  it('can be used for reading only, so that masters can change one after another', () => {
    const reading = readableOnly(config);
    expect(reading.indexOf('identity')).toBeLessThan(reading.indexOf('secretbox'));
    expect(readableOnly(reading)).toBe(config);
  });

  it('is compared by its keys', () => {
    expect(hasSameKey(readableOnly(config), config)).toBe(true);
    expect(hasSameKey(config, readableOnly(config))).toBe(true);
    expect(hasSameKey(config, encryptionConfig(new Secret('b3RoZXJvdGhlcg==')))).toBe(false);
  });
});

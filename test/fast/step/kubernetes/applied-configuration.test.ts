import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { appliedConfiguration, configurationChecksum } from '../../../../src/step/kubernetes/applied-configuration.ts';
import { kubeadmConfiguration } from '../../../../src/step/kubernetes/kubeadm-configuration.ts';
import { kubeadmInitOptions } from '../../../../src/step/kubernetes/kubeadm-options.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost } from '../../../fake/fake-host.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';

const RECORD = '/configuration';
const node = { name: 'node1', roles: ['master' as const], address: '' };

function part(checksum: string, applied: string[] = []) {
  return appliedConfiguration({
    key: 'configuration:control-plane',
    summary: 'apply',
    name: 'control-plane',
    checksum,
    apply: () => Promise.resolve(void applied.push(checksum)),
  });
}

describe('a configuration that kubeadm generates', () => {
  it('is applied if nothing is recorded, as on nodes of earlier versions, and only once', async () => {
    const fake = fakeHost('node1');
    const ctx = fakeContext(node, fake);
    const applied: string[] = [];
    expect(await part('aa11', applied).precheck(ctx)).toMatchObject({ done: false });
    await part('aa11', applied).run(ctx);
    expect(await part('aa11', applied).precheck(ctx)).toEqual({ done: true });
    expect(await part('bb22', applied).precheck(ctx)).toMatchObject({ because: 'the configuration changed' });
    expect(applied).toEqual(['aa11']);
  });

  it('keeps the records of other configurations', async () => {
    const fake = fakeHost('node1', new Map([[RECORD, 'kubelet 0123\ncontrol-plane 4567\n']]));
    await part('aa11').run(fakeContext(node, fake));
    expect(fake.files.get(RECORD)).toBe('kubelet 0123\ncontrol-plane aa11\n');
  });

  it('is not recorded if it could not be applied', async () => {
    const fake = fakeHost('node1');
    const broken = appliedConfiguration({
      key: 'configuration:kubelet',
      summary: 'apply',
      name: 'kubelet',
      checksum: 'aa11',
      apply: () => Promise.reject(new Error('failed')),
    });
    await expect(broken.run(fakeContext(node, fake))).rejects.toThrow('failed');
    expect(fake.files.has(RECORD)).toBe(false);
  });
});

describe('the checksum', () => {
  const of = async (...overrides: readonly string[]) => {
    const cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides });
    const hosts = hostsOf(cluster);
    return kubeadmConfiguration(
      kubeadmInitOptions(cluster, [])({ host: hosts.withRole('master')[0]!, hosts, facts: fakeFacts('node1') }),
    );
  };

  it('changes with the flags and files of the control plane', async () => {
    const before = (await of())['control-plane'];
    for (const override of ['kubernetes.scheduler.extraArgs.v=4', 'kubernetes.audit=true', 'security.profile=cis'])
      expect((await of(override))['control-plane']).not.toBe(before);
  });

  it('of a kubelet changes with its own configuration only', async () => {
    const before = (await of()).kubelet;
    expect((await of('kubernetes.scheduler.extraArgs.v=4')).kubelet).toBe(before);
    expect((await of('kubernetes.kubeletConfiguration.maxOpenFiles=1')).kubelet).not.toBe(before);
  });

  it('does not reveal values', () => expect(configurationChecksum({ token: 'hunter2' })).toMatch(/^[0-9a-f]{16}$/));
});

import { expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { nodeModules } from '../../../../src/step/host-requirements/kernel-modules.ts';

it('NodeLocal DNSCache needs dummy interfaces', async () => {
  const modules = async (enabled: boolean) => {
    const overrides = [`kubernetes.nodelocaldns=${enabled}`];
    const cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides });
    return nodeModules(cluster, { kernel: '6.1.0' }).map(({ name }) => name);
  };
  expect(await modules(true)).toContain('dummy');
  expect(await modules(false)).not.toContain('dummy');
});

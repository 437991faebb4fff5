import { describe, expect, it } from 'vitest';
import type { Host } from '../../../../src/common/host.ts';
import { refusePoolChanges, updatedPools } from '../../../../src/step/network/calico-pools.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';
import { load, pluginOf } from './support.ts';

const master: Host = { name: 'node1', address: '10.0.0.1', roles: ['master'] };
const POOL = { cidr: '10.233.64.0/18', blockSize: 26, ipipMode: 'Never', vxlanMode: 'Always', natOutgoing: true };

/** A master of a cluster that has these pools. */
function masterWith(...specs: readonly object[]) {
  const fake = fakeHost(master.name);
  const items = specs.map((spec) => ({ metadata: { name: 'default-ipv4-ippool' }, spec }));
  fake.answer(/get ippools/, () => (specs.length > 0 ? ok(JSON.stringify({ items })) : ok('')));
  const patches: string[] = [];
  fake.answer(/patch ippools.*/s, ([command]) => {
    patches.push(command);
    return ok('');
  });
  return { patches, ctx: fakeContext(master, fake) };
}

const settings = async (...overrides: readonly string[]) => {
  const cluster = await load('network.plugin=calico', 'network.calico.vxlanMode=Always', ...overrides);
  return [cluster, pluginOf(cluster, 'calico')] as const;
};

describe('IP pools', () => {
  it('are left to calico-node until they exist', async () => {
    const { ctx } = masterWith();
    expect(await updatedPools(...(await settings())).precheck(ctx)).toEqual({ done: true });
  });

  it('with the settings of the cluster file stay as they are', async () => {
    const { ctx } = masterWith({ ...POOL, cidr: '10.99.0.0/16', natOutgoing: false }, POOL);
    expect(await updatedPools(...(await settings())).precheck(ctx)).toEqual({ done: true });
  });

  it('get changed settings', async () => {
    const part = updatedPools(
      ...(await settings('network.calico.vxlanMode=CrossSubnet', 'network.calico.ipv4NatOutgoing=false')),
    );
    const { patches, ctx } = masterWith(POOL);
    expect(await part.precheck(ctx)).toMatchObject({
      because: expect.stringContaining('vxlanMode of default-ipv4-ippool is Always'),
    });
    expect(await part.remember!(ctx)).toEqual({
      'default-ipv4-ippool': { ipipMode: 'Never', vxlanMode: 'Always', natOutgoing: true },
    });
    await part.run(ctx);
    const spec = JSON.stringify({ spec: { ipipMode: 'Never', vxlanMode: 'CrossSubnet', natOutgoing: false } });
    expect(patches.join()).toContain(
      `patch ippools.crd.projectcalico.org default-ipv4-ippool --type=merge -p '${spec}'`,
    );
  });
});

describe('before anything is changed', () => {
  it.each([
    ['another block size', ['network.ippool.blockSize=24'], 'has /26, but the cluster file requires /24'],
    [
      'another kind of tunnel',
      ['network.calico.vxlanMode=Never', 'network.calico.ipipMode=Always'],
      'has VXLAN tunnels, but the cluster file requires IPIP tunnels',
    ],
  ])('%s is refused', async (_, overrides, message) => {
    const [check] = refusePoolChanges(...(await settings(...overrides))).parts(masterWith(POOL).ctx);
    await expect(check!.precheck(masterWith(POOL).ctx)).rejects.toMatchObject({
      code: 'CALICO_POOL_FIXED',
      message: expect.stringContaining(message),
    });
    await check!.precheck(masterWith().ctx);
  });

  it('changes that Calico supports are accepted', async () => {
    const { ctx } = masterWith(POOL);
    const [check] = refusePoolChanges(...(await settings('network.calico.vxlanMode=CrossSubnet'))).parts(ctx);
    expect(await check!.precheck(ctx)).toEqual({ done: true });
  });
});

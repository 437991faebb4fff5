import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { clusterMirror, mirroredClusterFile, needsClusterMirror } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { runKubexm } from '../lab/support/lab-cluster.ts';
import { kubectlOn } from '../lab/support/verify-cluster.ts';
import { labNames } from '../lab/support.ts';

const named = await labNames();
const name = named('calico');
const VERSION = '1.36.3';

describe('a cluster with Calico', await needsClusterMirror(VERSION, 'calico'), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let before: readonly (readonly string[])[];
  const kubectl = kubectlOn(() => lab);
  const states = () => Promise.all(lab.machines.map(hostState));

  /** Writes a cluster file with these settings of Calico. */
  const fileWith = (calico: object, ippool: object = {}) => {
    const network = { plugin: 'calico', calico: { ipipMode: 'Never', vxlanMode: 'Always', ...calico }, ippool };
    return mirroredClusterFile(lab, mirror, { version: VERSION, spec: { network } });
  };
  const create = async (calico: object, ippool?: object) =>
    runKubexm(lab, await fileWith(calico, ippool), 'create', 'cluster');
  const CHANGED = { vxlanMode: 'CrossSubnet', ipv4NatOutgoing: false, vethMTU: 1300 };

  beforeAll(async () => {
    lab = await labUp({ name, machines: 2 });
    mirror = await clusterMirror(lab, VERSION, 'calico');
    before = await states();
    const { exit, stderr } = await create({});
    expect(exit, stderr).toBe(0);
  });
  afterAll(() => mirror.close());

  it('has all its Pods ready after create', async () => {
    const path = '{.status.readyReplicas}';
    expect(await kubectl(`-n kube-system get deployment calico-kube-controllers -o 'jsonpath=${path}'`)).toBe('1');
  });

  it('applies changed settings to the IP pool and to new Pods', async () => {
    const { exit, stderr } = await create(CHANGED);
    expect(exit, stderr).toBe(0);
    const path = '{.spec.vxlanMode} {.spec.natOutgoing} {.spec.blockSize}';
    expect(await kubectl(`get ippools default-ipv4-ippool -o 'jsonpath=${path}'`)).toMatch(
      /^CrossSubnet (false)? ?26$/,
    );
    await kubectl('run mtu --image docker.io/library/busybox:1.37.0 --restart=Never -- sleep 600');
    await kubectl('wait pod/mtu --for=condition=Ready --timeout=180s');
    expect(await kubectl('exec mtu -- cat /sys/class/net/eth0/mtu')).toBe('1300');
    await kubectl('delete pod/mtu --grace-period=1');
    expect((await create(CHANGED)).stderr).toContain('Nothing to do');
  });

  it.each([
    ['block size', {}, { blockSize: 24 }],
    ['kind of tunnel', { vxlanMode: 'Never' }, {}],
  ])('refuses another %s before anything is changed', async (_, calico, ippool) => {
    const { exit, stderr } = await create({ ...CHANGED, ...calico }, ippool);
    expect(exit).toBe(13);
    expect(stderr).toContain('CALICO_POOL_FIXED');
    expect((await create(CHANGED)).stderr).toContain('Nothing to do');
  });

  it('applies objects again that somebody has edited', async () => {
    const mtu = () => kubectl("-n kube-system get configmap calico-config -o 'jsonpath={.data.veth_mtu}'");
    await kubectl(`-n kube-system patch configmap calico-config -p '{"data":{"veth_mtu":"1200"}}'`);
    await kubectl('-n kube-system set env daemonset/calico-node -c calico-node FELIX_LOGSEVERITYSCREEN=debug');
    await kubectl('-n kube-system set env daemonset/calico-node -c calico-node IP_AUTODETECTION_METHOD=first-found');
    expect(await mtu()).toBe('1200');
    const { exit, stderr } = await create(CHANGED);
    expect(exit, stderr).toBe(0);
    expect(await mtu()).toBe('1300');
    expect(await kubectl('-n kube-system set env daemonset/calico-node --list')).toContain(
      'IP_AUTODETECTION_METHOD=kubernetes-internal-ip',
    );
    expect((await create(CHANGED)).stderr).toContain('Nothing to do');
  });

  it('is deleted with all hosts restored even if the API server is down', async () => {
    const [master] = lab.machines;
    await scriptOn(master!, 'rm /etc/kubernetes/manifests/kube-apiserver.yaml');
    const isDown = () => scriptOn(master!, 'ss -Hlnt "sport = :6443" | wc -l');
    await expect.poll(isDown, { timeout: 180_000, interval: 1000 }).toBe('0\n');
    const deleted = await runKubexm(lab, await fileWith(CHANGED), 'delete', 'cluster', '--yes');
    expect(deleted.exit, deleted.stderr).toBe(0);
    expect(await states()).toEqual(before);
  });
});

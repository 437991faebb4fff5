import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { NetworkPlugin } from '../../config/model/network-plugins.ts';
import { sh } from '../../runner/command.ts';
import { fieldOf, itemsOf, numberOf, textOf } from '../../util/json-fields.ts';
import { checkOnly } from '../common/check-only.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { ADMIN_CONF, kubectl } from '../kubernetes-object/kubectl.ts';

type Calico = Extract<NetworkPlugin, { readonly type: 'calico' }>;

/** Fails, before anything is changed, if the IP pools of the cluster differ in a setting that cannot be changed. */
export const refusePoolChanges = (cluster: Cluster, plugin: Calico): Step =>
  defineStep({
    name: 'calico.changes',
    summary: 'Check for unsupported changes to the IP pools',
    parts: () => [
      checkOnly('check:calico-pools', 'compare the cluster file with the IP pools', async (ctx) => {
        for (const { pool, wanted } of await poolsOf(ctx, cluster, plugin)) {
          const [fixed] = fixedSettings(pool, wanted);
          if (fixed) throw fail('CALICO_POOL_FIXED', { ...fixed, pool: pool.name });
        }
      }),
    ],
  });

/**
 * The IP pools have the settings of the cluster file. calico-node creates the pools from its environment when it starts for the
 * first time, and does not change them later.
 */
export const updatedPools = (cluster: Cluster, plugin: Calico): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'objects:calico-pools',
    summary: 'update the Calico IP pools',
    async precheck(ctx) {
      const pools = await poolsOf(ctx, cluster, plugin);
      return findingOf(
        pools.flatMap(({ pool, wanted }) =>
          CHANGEABLE.filter((name) => pool.spec[name] !== wanted[name]).map(
            (name) => `${name} of ${pool.name} is ${String(pool.spec[name])}`,
          ),
        ),
      );
    },
    remember: async (ctx) =>
      Object.fromEntries((await poolsOf(ctx, cluster, plugin)).map(({ pool }) => [pool.name, changeable(pool.spec)])),
    async run(ctx) {
      for (const { pool, wanted } of await poolsOf(ctx, cluster, plugin)) await patch(ctx, pool.name, wanted);
    },
    async rollback(ctx, before) {
      for (const { pool } of await poolsOf(ctx, cluster, plugin)) {
        const was = fieldOf(before, pool.name);
        if (was !== undefined) await patch(ctx, pool.name, settingsOf(was));
      }
    },
  });

/** Settings of an IP pool, with the field names of Calico. */
interface PoolSettings {
  readonly ipipMode: string;
  readonly vxlanMode: string;
  readonly natOutgoing: boolean;
  readonly blockSize: number;
}

const CHANGEABLE = ['ipipMode', 'vxlanMode', 'natOutgoing'] as const;

const changeable = ({ ipipMode, vxlanMode, natOutgoing }: PoolSettings) => ({ ipipMode, vxlanMode, natOutgoing });

/** The same settings as in the environment of calico-node. */
function wantedSettings(cidr: string, { ipipMode, vxlanMode, ipv4NatOutgoing, blockSize }: Calico): PoolSettings {
  return cidr.includes(':')
    ? { ipipMode: 'Never', vxlanMode, natOutgoing: true, blockSize: IPV6_BLOCK_SIZE }
    : { ipipMode, vxlanMode, natOutgoing: ipv4NatOutgoing, blockSize };
}

/** The default of Calico. */
const IPV6_BLOCK_SIZE = 122;

interface Pool {
  readonly name: string;
  readonly spec: PoolSettings;
}

/** The pools of the pod networks in the cluster; none if the cluster does not exist yet. */
async function poolsOf({ runner }: StepContext, { network }: Cluster, plugin: Calico) {
  const get = kubectl(sh`get ippools.crd.projectcalico.org -o json`);
  const { stdout } = await runner.query(sh`[ ! -e ${ADMIN_CONF} ] || ${get} 2>/dev/null`);
  const items = stdout.trim().startsWith('{') ? itemsOf(JSON.parse(stdout), 'items') : [];
  return network.podCidrs.flatMap((cidr) => {
    const item = items.find((each) => textOf(fieldOf(each, 'spec') ?? null, 'cidr') === cidr);
    const name = textOf(fieldOf(item ?? null, 'metadata') ?? null, 'name');
    const pool: Pool = { name, spec: settingsOf(fieldOf(item ?? null, 'spec') ?? null) };
    return item === undefined ? [] : [{ pool, wanted: wantedSettings(cidr, plugin) }];
  });
}

/** Calico leaves out fields that have their default. */
const settingsOf = (spec: Json): PoolSettings => ({
  ipipMode: textOf(spec, 'ipipMode') || 'Never',
  vxlanMode: textOf(spec, 'vxlanMode') || 'Never',
  natOutgoing: fieldOf(spec, 'natOutgoing') === true,
  blockSize: numberOf(spec, 'blockSize'),
});

/** The settings that differ, of those that Calico cannot change in a running cluster. */
function fixedSettings({ spec }: Pool, wanted: PoolSettings) {
  const compared = [
    { field: 'network.ippool.blockSize', now: `/${spec.blockSize}`, wanted: `/${wanted.blockSize}` },
    { field: 'network.calico.vxlanMode and ipipMode', now: tunnelOf(spec), wanted: tunnelOf(wanted) },
  ];
  return compared.filter((each) => each.now !== each.wanted);
}

/** Changing the kind of tunnel would interrupt the traffic between nodes until all of them have changed it. */
const tunnelOf = ({ ipipMode, vxlanMode }: PoolSettings): string =>
  ipipMode !== 'Never' ? 'IPIP tunnels' : vxlanMode === 'Never' ? 'no tunnels' : 'VXLAN tunnels';

const patch = ({ runner }: StepContext, name: string, settings: PoolSettings) => {
  const spec = JSON.stringify({ spec: changeable(settings) });
  return runner.run(kubectl(sh`patch ippools.crd.projectcalico.org ${name} --type=merge -p ${spec}`));
};

import type { Json } from '../../common/json.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { CLUSTER_NFT_TABLES, NETWORK_PLUGINS, type NetworkPluginFacts } from '../../config/model/network-plugins.ts';
import { etcdOn } from '../../config/model/ports.ts';
import { sh, type Command } from '../../runner/command.ts';
import { keysOf, textOf, textsOf } from '../../util/json-fields.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { ownedDirectory } from '../common/owned-directory.ts';
import { recordedState, restoreRecordedState } from '../common/recorded-state.ts';
import { parseKey } from '../contract/key.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Records the host state that kubeadm, the kubelet and system Pods change on their own, before they are installed. */
export const recordHostState = (cluster: Cluster): Step =>
  defineStep({
    name: 'kubernetes.note',
    summary: 'Record the host state before Kubernetes is installed',
    reversible: true,
    parts: ({ host }) => {
      const etcd = etcdOn(cluster, clusterHost(cluster, host));
      return parts(etcd?.type === 'kubeadm' ? [etcd.dataDir] : [], NETWORK_PLUGINS[cluster.network.plugin.type]);
    },
  });

const DIRECTORIES = ['/etc/kubernetes', '/usr/libexec/kubernetes', '/var/log/pods', '/var/log/containers'] as const;
const KUBELET_DIRECTORY = '/var/lib/kubelet';

/** Whether a key of this step is the data directory of etcd, whatever its path was when the cluster was created. */
export function isEtcdData(key: string): boolean {
  const { kind, target = '' } = parseKey(key) ?? {};
  const plugins = Object.values(NETWORK_PLUGINS).flatMap(({ directories }) => directories);
  return kind === 'owned-directory' && ![...DIRECTORIES, KUBELET_DIRECTORY, ...plugins].includes(target);
}

const parts = (dataDirs: readonly string[], { directories, mounts }: NetworkPluginFacts): readonly GenericStep[] => [
  kernelSettings,
  packetTables,
  ...(mounts.length > 0 ? [pluginMounts(mounts)] : []),
  ...[...DIRECTORIES, ...directories].map((path) => ownedDirectory({ path })),
  ownedDirectory({ path: KUBELET_DIRECTORY, mode: 0o750 }),
  ...dataDirs.map((path) => ownedDirectory({ path, mode: 0o700 })),
];

/** Kernel settings that the kubelet, kube-proxy and Calico change. */
const SETTINGS = [
  'vm.overcommit_memory',
  'vm.panic_on_oom',
  'kernel.panic',
  'kernel.panic_on_oops',
  'kernel.keys.root_maxkeys',
  'kernel.keys.root_maxbytes',
  'net.ipv4.conf.all.route_localnet',
  'net.netfilter.nf_conntrack_acct',
  'net.netfilter.nf_conntrack_max',
  'net.netfilter.nf_conntrack_tcp_timeout_established',
  'net.netfilter.nf_conntrack_tcp_timeout_close_wait',
];
const settingAt = (key: string) => `/proc/sys/${key.replaceAll('.', '/')}`;

const kernelSettings = recordedState({
  name: 'kernel-settings',
  summary: 'record the kernel settings',
  formerly: ['noted kernel-settings', 'note how the kernel is set'],
  async read({ runner }) {
    const values = await Promise.all(SETTINGS.map((key) => runner.read(settingAt(key))));
    return Object.fromEntries(
      SETTINGS.map((key, index) => [key, values[index]?.trim() ?? '']).filter(([, value]) => value),
    );
  },
  restore: restoreKernelSettings,
});

async function restoreKernelSettings({ runner }: StepContext, before: Json): Promise<void> {
  const sets = keysOf(before).map((key) => {
    const [path, value] = [settingAt(key), textOf(before, key)];
    return sh`[ "$(cat ${path} 2>/dev/null)" = ${value} ] || echo ${value} >${path} || true`.text;
  });
  await runner.run({ text: sets.join('\n') || 'true', display: 'restore the kernel settings' });
}

const packetTables = recordedState({
  name: 'packet-tables',
  summary: 'record the nftables tables',
  formerly: ['noted packet-tables', 'note which tables of packet rules there are'],
  read: async (ctx) => ({ tables: await tablesOn(ctx) }),
  restore: restorePacketTables,
});

async function restorePacketTables(ctx: StepContext, before: Json): Promise<void> {
  const existing = new Set(textsOf(before, 'tables'));
  const created = (await tablesOn(ctx)).filter((table) => !existing.has(table) && isKubernetesTable(table));
  for (const table of created) {
    const [family = '', name = ''] = table.split(' ');
    // A table that contains rules is in use by another program.
    await ctx.runner.run(
      sh`nft list table ${family} ${name} | grep -qvE '^(table .*|[[:space:]]*(chain .*|type filter hook .*|type nat hook .*|type route hook .*|})?)$' || nft delete table ${family} ${name}`,
    );
  }
}

async function tablesOn({ runner }: StepContext): Promise<readonly string[]> {
  const { stdout } = await runner.query(sh`[ -n "$(command -v nft)" ] && nft list tables`);
  return stdout.split('\n').flatMap((line) => /^table (.+)$/.exec(line.trim())?.[1] ?? []);
}

/** Network plugins mount file systems that the system usually mounts at boot. */
const pluginMounts = (mounts: readonly string[]): GenericStep =>
  recordedState({
    name: 'mounts',
    summary: 'record the mounted file systems',
    formerly: [],
    async read({ runner }) {
      const mounted = await Promise.all(mounts.map((path) => runner.test(isMounted(path))));
      return { unmounted: mounts.filter((_, index) => !mounted[index]) };
    },
    restore: restoreMounts,
  });

async function restoreMounts({ runner }: StepContext, before: Json): Promise<void> {
  for (const path of textsOf(before, 'unmounted')) {
    // A file system with content is in use by another program.
    await runner.run(sh`if ${isMounted(path)} && ! ls -A ${path} | grep -qvE '[.]debug$'; then umount ${path}; fi`);
  }
}

const isMounted = (path: string): Command => sh`grep -qF ${` ${path} `} /proc/self/mounts`;

const RESTORES = {
  'kernel-settings': restoreKernelSettings,
  'packet-tables': restorePacketTables,
  mounts: restoreMounts,
} as const;

/** Restores the recorded state of this name. */
export const restoreHostState: Restore = async (ctx, target, before) => {
  const restore = Object.entries(RESTORES).find(([name]) => name === target);
  if (restore) await restoreRecordedState(ctx, { name: target, restore: restore[1] }, before);
};

/** Includes the standard tables, which iptables creates on first use. */
const isKubernetesTable = (table: string) => TABLE.test(table);

const TABLE = new RegExp(`^ip6? (filter|nat|mangle|raw|${CLUSTER_NFT_TABLES.join('|')})$`);

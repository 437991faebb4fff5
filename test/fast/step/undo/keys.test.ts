import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { createClusterPipeline } from '../../../../src/pipeline/cluster/create.ts';
import { deleteClusterPipeline } from '../../../../src/pipeline/cluster/delete.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import type { GenericStep } from '../../../../src/step/contract/part.ts';
import type { Step } from '../../../../src/step/contract/step.ts';
import { FORMER_RECORDS } from '../../../../src/step/undo/former-records.ts';
import { isRestorable } from '../../../../src/step/undo/restore.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { factsOf, SYSTEMS } from '../os/systems.ts';

const examples = readdirSync('examples').map((name) => [`examples/${name}`, []] as const);
const variants = [
  ['kubernetes.containerRuntime.type=docker'],
  ['kubernetes.containerRuntime.type=docker', 'kubernetes.containerRuntime.from=packages'],
  ['kubernetes.containerRuntime.type=cri-o'],
  ['kubernetes.containerRuntime.type=cri-o', 'kubernetes.containerRuntime.from=packages'],
  ['kubernetes.containerRuntime.type=isulad', 'kubernetes.version=1.29.0'],
  ['kubernetes.type=kubexm'],
  ['kubernetes.audit=true', 'kubernetes.encryptionAtRest=true', 'kubernetes.patches=/patches'],
  ['system.firewall=rules'],
  ['etcd.type=kubeadm', 'roleGroups.etcd=[]'],
  ['roleGroups.registry=["node1"]', 'registry.anonymousPull=true'],
].map((overrides) => ['test/fixtures/kubeadm.yaml', overrides] as const);
const clusters = [...examples, ...variants, ['test/fixtures/full.yaml', []] as const];

/** The parts of a step on each host and each operating system. */
interface Planned {
  readonly step: Step;
  readonly host: string;
  readonly cluster: string;
  readonly parts: readonly GenericStep[];
}

const planned = (await Promise.all(clusters.map(([file, overrides]) => loadCluster(file, { overrides })))).flatMap(
  (cluster) =>
    [createClusterPipeline({ preflight: 'skip' }), deleteClusterPipeline({ preserveData: false })].flatMap((pipeline) =>
      nodesOf(plan(pipeline, cluster, fakeAssets(cluster)))
        // The parts of user-defined addons depend on the cluster file.
        .filter(({ step }) => !step.name.startsWith('addon.'))
        .flatMap(({ step, host }) =>
          Object.keys(SYSTEMS).flatMap((system): readonly Planned[] => {
            const facts = factsOf(system, host.name);
            const network = interfacesIn(cluster, host.name);
            const view = { host, hosts: hostsOf(cluster), facts: { ...facts, ...network } };
            return [{ step, host: host.name, cluster: cluster.name, parts: step.parts(view) }];
          }),
        ),
    ),
);

/** Network facts with an interface in the subnet of the virtual IP, which keepalived needs. */
function interfacesIn({ hosts }: Cluster, name: string) {
  const addresses = hosts.find((host) => host.name === name)?.internalAddresses ?? [];
  return { interfaces: [{ name: 'eth0', addresses: addresses.map((one) => `${one}/16`), mac: '', mtu: 1500 }] };
}

it('every part has a permanent key; keys are never removed from this list', async () => {
  const keys = new Map<string, Set<string>>();
  for (const { step, host, cluster, parts } of planned) {
    const known = keys.get(step.name) ?? new Set();
    keys.set(step.name, known);
    for (const { key } of parts) known.add(generalize(key, host, cluster));
  }
  const lines = [...keys]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([step, set]) => [step, ...[...set].toSorted().map((key) => `  ${key}`)]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../golden/keys.txt');
});

const generalize = (key: string, host: string, cluster: string) =>
  key
    .replaceAll(new RegExp(`(?<=[-/])${host}(?=[-./])`, 'g'), '{host}')
    .replace(new RegExp(`#${cluster}$`), '#{cluster}');

it('no step has two parts with the same key', () => {
  const twice = planned.flatMap(({ step, parts }) => {
    const keys = parts.map(({ key }) => key);
    return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${step.name} ${key}`);
  });
  expect([...new Set(twice)]).toEqual([]);
});

it('parts of reversible steps can be restored by their key alone', () => {
  const parts = planned.filter(({ step }) => step.reversible).flatMap((one) => one.parts);
  const restorable = parts.filter((part) => part.rollback !== undefined);
  expect(restorable.length).toBeGreaterThan(1000);
  expect(restorable.filter(({ key }) => !isRestorable(key)).map(({ key }) => key)).toEqual([]);
});

it('records of versions without keys map to the current key of the part', () => {
  const wrong = planned.flatMap(({ step, host, cluster, parts }) => {
    const former = new Map(FORMER_RECORDS[step.name]);
    return parts.flatMap(({ key, formerly = [] }) =>
      formerly.flatMap((text) => {
        const known = former.get(text.replaceAll(host, '{host}').replace(`block ${cluster} `, 'block {cluster} '));
        return known === undefined || known === generalize(key, host, cluster) ? [] : [`${step.name} ${text}: ${key}`];
      }),
    );
  });
  expect([...new Set(wrong)]).toEqual([]);
  const keys = Object.values(FORMER_RECORDS).flatMap((rows) => rows.map(([, key]) => key));
  expect(keys.length).toBeGreaterThan(200);
  expect(keys.filter((key) => !isRestorable(key))).toEqual([]);
});

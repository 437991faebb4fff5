import { describe, expect, it } from 'vitest';
import type { Node, Pod, PodDisruptionBudget } from '../../../../src/kubernetes-api/objects.ts';
import { forecastDrain } from '../../../../src/step/drain/forecast.ts';
import { unplacedPods } from '../../../../src/step/drain/place-pods.ts';
import { parseQuantity } from '../../../../src/step/drain/quantity.ts';
import type { ClusterSnapshot } from '../../../../src/step/drain/snapshot.ts';

const meta = (name: string, more: object = {}) => ({ name, uid: name, resourceVersion: '1', ...more });

const node = (name: string, more: Partial<Node> = {}, memory = '1Gi'): Node => ({
  metadata: meta(name, { labels: { 'kubernetes.io/hostname': name } }),
  status: { allocatable: { cpu: '2', memory, pods: '10' }, conditions: [{ type: 'Ready', status: 'True' }] },
  ...more,
});

const OWNER = [{ kind: 'ReplicaSet', name: 'x', uid: 'x', controller: true }];

const pod = (name: string, on: string, spec: Partial<Pod['spec']> = {}, memory = '100Mi'): Pod => ({
  metadata: meta(name, { namespace: 'default', labels: { app: 'web' }, ownerReferences: OWNER }),
  spec: {
    nodeName: on,
    containers: [{ name: 'main', resources: { requests: { cpu: '100m', memory } } }],
    ...spec,
  },
});

const budget = (spec: object, status: object = {}): PodDisruptionBudget => ({
  metadata: meta('web', { namespace: 'default' }),
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  status: { disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, ...status },
});

const snapshot = (parts: Partial<ClusterSnapshot>): ClusterSnapshot => ({
  nodes: [node('w1'), node('w2')],
  pods: [],
  budgets: [],
  volumes: [],
  claims: [],
  ...parts,
});

const CAREFUL = { force: false, deleteEmptyDirData: false };

/** The findings for w1 as "severity kind: text". */
const findings = (parts: Partial<ClusterSnapshot>, options = CAREFUL) =>
  forecastDrain(snapshot(parts), ['w1'], options).nodes[0]!.findings.map(
    ({ severity, kind, text }) => `${severity} ${kind}: ${text}`,
  );

it.each([
  ['500m', 0.5],
  ['1Gi', 2 ** 30],
  ['2e3', 2000],
  ['128974848', 128974848],
  ['1500k', 1_500_000],
  ['1E', 1e18],
])('reads the quantity %s', (text, value) => expect(parseQuantity(text)).toBe(value));

describe('a simulated drain', () => {
  it('finds nothing if all pods can move', () => expect(findings({ pods: [pod('web-1', 'w1')] })).toEqual([]));

  it('names pods without a controller, emptyDirs and host paths', () => {
    const { metadata, spec } = pod('debug', 'w1');
    const { ownerReferences: _, ...rest } = metadata;
    const pods = [
      { metadata: rest, spec },
      pod('cache', 'w1', { volumes: [{ name: 'data', emptyDir: {} }] }),
      pod('agent', 'w1', { volumes: [{ name: 'log', hostPath: { path: '/var/log' } }] }),
    ];
    expect(findings({ pods })).toEqual([
      'error bare-pod: has no controller: nothing starts it again',
      'error empty-dir: loses the content of its emptyDir data',
      'warning host-path: uses /var/log of the node, which stays behind',
    ]);
    expect(findings({ pods }, { force: true, deleteEmptyDirData: true })).toEqual([
      'warning bare-pod: has no controller: nothing starts it again',
      'warning empty-dir: loses the content of its emptyDir data',
      'warning host-path: uses /var/log of the node, which stays behind',
    ]);
  });

  it('names volumes that are bound to the node', () => {
    const claim = { metadata: meta('data', { namespace: 'default' }), spec: { volumeName: 'pv-1' } };
    const hostname = [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['w1'] }];
    const volume = {
      metadata: meta('pv-1'),
      spec: {
        local: { path: '/data' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: hostname }] } },
      },
    };
    const pods = [pod('db-0', 'w1', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })];
    expect(findings({ pods, claims: [claim], volumes: [volume] })).toEqual([
      'error local-volume: its volume pv-1 is on this node, so it cannot run elsewhere',
    ]);
  });

  it.each([
    [{ maxUnavailable: 0 }, {}, 'error budget: the disruption budget web never allows it: maxUnavailable is 0'],
    [{ maxUnavailable: '0%' }, {}, 'error budget: the disruption budget web never allows it: maxUnavailable is 0%'],
    [{ minAvailable: '100%' }, {}, 'error budget: the disruption budget web never allows it: minAvailable is 100%'],
    [
      { minAvailable: 1 },
      { desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 },
      'error budget: the disruption budget web never allows it: it needs 1 healthy pods and there are only 1',
    ],
    [
      { minAvailable: 2 },
      { currentHealthy: 2 },
      'warning budget: waits for the disruption budget web: it needs 2 healthy pods and has 2',
    ],
  ])('judges the budget %j', (spec, status, expected) =>
    expect(findings({ pods: [pod('web-1', 'w1')], budgets: [budget(spec, status)] })).toEqual([expected]),
  );

  it('ignores a budget that is open, and one of another namespace', () => {
    const other = { ...budget({ maxUnavailable: 0 }), metadata: meta('web', { namespace: 'other' }) };
    const open = budget({ minAvailable: 2 }, { disruptionsAllowed: 1 });
    expect(findings({ pods: [pod('web-1', 'w1')], budgets: [open, other] })).toEqual([]);
  });

  it('orders nodes: without obstacles first, control plane last', () => {
    const master = node('m1', { metadata: meta('m1', { labels: { 'node-role.kubernetes.io/control-plane': '' } }) });
    const pods = [pod('cache', 'w1', { volumes: [{ name: 'data', emptyDir: {} }] }), pod('a', 'w2'), pod('b', 'w2')];
    const nodes = [master, node('w1'), node('w2'), node('w3')];
    const forecast = forecastDrain(snapshot({ nodes, pods }), ['m1', 'w1', 'w2'], CAREFUL);
    expect(forecast.nodes.map((each) => each.node)).toEqual(['w2', 'w1', 'm1']);
  });
});

describe('a pod fits on no other node', () => {
  const reasons = (parts: Partial<ClusterSnapshot>, leaving = ['w1']) =>
    unplacedPods(snapshot(parts), leaving).map(({ pod: { metadata }, reason }) => `${metadata.name}: ${reason}`);

  it('if it needs more than is free', () => {
    const pods = [pod('big', 'w1', {}, '800Mi'), pod('small', 'w1'), pod('other', 'w2', {}, '500Mi')];
    expect(reasons({ pods })).toEqual(['big: 1 node: not enough memory']);
  });

  it('if the pods together need more than is free', () => {
    const pods = [pod('a', 'w1', {}, '600Mi'), pod('b', 'w1', {}, '600Mi')];
    expect(reasons({ pods })).toEqual(['b: 1 node: not enough memory']);
  });

  it('if there is no other node that is ready and schedulable', () => {
    const nodes = [node('w1'), node('w2', { spec: { unschedulable: true } }), node('w3', { status: {} })];
    expect(reasons({ nodes, pods: [pod('web', 'w1')] })).toEqual(['web: no other node is ready and schedulable']);
    expect(reasons({ pods: [pod('web', 'w1')] }, ['w1', 'w2'])).toEqual([
      'web: no other node is ready and schedulable',
    ]);
  });

  it('if taints, selectors or affinity keep it away', () => {
    const tainted = node('w2', { spec: { taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }] } });
    expect(reasons({ nodes: [node('w1'), tainted], pods: [pod('web', 'w1')] })).toEqual([
      'web: 1 node: taint dedicated',
    ]);
    const tolerant = pod('web', 'w1', { tolerations: [{ key: 'dedicated', operator: 'Exists' }] });
    expect(reasons({ nodes: [node('w1'), tainted], pods: [tolerant] })).toEqual([]);
    expect(reasons({ pods: [pod('web', 'w1', { nodeSelector: { disk: 'ssd' } })] })).toEqual([
      'web: 1 node: the node selector does not match',
    ]);
    const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['w1'] }] }];
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    expect(reasons({ pods: [pod('web', 'w1', { affinity: { nodeAffinity } })] })).toEqual([
      'web: 1 node: the node affinity does not match',
    ]);
  });

  it('if one of the same kind is on every other node already', () => {
    const term = { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const pods = [pod('web-1', 'w1', { affinity: { podAntiAffinity } }), pod('web-2', 'w2')];
    expect(reasons({ pods })).toEqual(['web-1: 1 node: anti-affinity to a pod there']);
  });
});

import { labNames } from '../lab/support.ts';
import type { LoadLimits } from '../lab/support/load.ts';
import type { Lab } from '../../src/lab/up.ts';
import { TYPES } from './support/cluster-types.ts';
import { external } from './support/matrix.ts';
import { testScaleCells, type ScaleCell } from './support/scale-cells.ts';

/** Planned operations do not fail requests. Slow responses are fine on a busy computer. */
const NO_FAILURES: LoadLimits = { apiFailures: 0, serviceFailures: 0, gapSeconds: 10 };
/** A load balancer that gets other backends may close the connections of a moment. */
const NEW_BACKENDS: LoadLimits = { apiFailures: 10, serviceFailures: 0, gapSeconds: 15 };
/** A worker has no API endpoint while its own load balancer, a static Pod, restarts with other backends. */
const LOCAL_BALANCER: LoadLimits = { apiFailures: 150, serviceFailures: 0, gapSeconds: 40 };
/** Behind a single master, clients wait while its API server restarts. */
const ONE_API_SERVER: LoadLimits = { apiFailures: 400, serviceFailures: 0, gapSeconds: 90 };

const VIP = 200;
const addressOf = ({ machines }: Lab, at: number) => machines[at]!.address;
const vipOf = (lab: Lab) => addressOf(lab, 0).replace(/\d+$/, `${VIP}`);
const THREE = ['node1', 'node2', 'node3'];

const workers = (type: string): ScaleCell => {
  const one = { ...etcdOf(type, ['node1']), master: ['node1'], worker: ['node2'] };
  const two = { ...one, worker: ['node2', 'node3'] };
  return {
    title: 'one worker more and less',
    name: `worker-${type}`,
    type,
    machines: 3,
    groups: one,
    from: 'node2',
    api: (lab) => addressOf(lab, 0),
    steps: [
      {
        title: 'add a worker',
        act: { type: 'add', role: 'worker', nodes: ['node3'] },
        groups: two,
        limits: NO_FAILURES,
      },
      { title: 'delete a worker', act: { type: 'delete', nodes: ['node3'] }, groups: one, limits: NO_FAILURES },
      { title: 'add it from the cluster file', act: { type: 'addFromFile' }, groups: two, limits: NO_FAILURES },
    ],
  };
};

/** In binary mode the new masters also become etcd members, so that both move from one to three and back. */
const etcdOf = (type: string, names: readonly string[]) => (type === 'kubexm' ? { etcd: names } : {});

const mastersBehindHaproxy = (type: string): ScaleCell => {
  const one = { ...etcdOf(type, ['node1']), master: ['node1'], worker: ['node4'] };
  const three = { ...etcdOf(type, THREE), master: THREE, worker: ['node4'] };
  return {
    title: 'one to three masters and back behind an internal haproxy',
    name: `haproxy-${type}`,
    type,
    machines: 4,
    groups: one,
    spec: () => ({ controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' } }),
    from: 'node4',
    api: () => '127.0.0.1',
    steps: [
      { title: 'one to three masters', act: { type: 'addFromFile' }, groups: three, limits: ONE_API_SERVER },
      {
        title: 'three masters to one, without the first one',
        act: { type: 'delete', nodes: ['node1', 'node2'] },
        groups: { ...etcdOf(type, ['node3']), master: ['node3'], worker: ['node4'] },
        limits: LOCAL_BALANCER,
      },
    ],
  };
};

const mastersBehindKeepalived = (type: string): ScaleCell => {
  const base = { worker: ['node4'], loadbalancer: ['node5', 'node6'] };
  const one = { ...etcdOf(type, ['node1']), master: ['node1'], ...base };
  const three = { ...etcdOf(type, THREE), master: THREE, ...base };
  return {
    title: 'one to three masters and back behind keepalived and haproxy',
    name: `kh-${type}`,
    type,
    machines: 7,
    groups: one,
    spec: (lab) => ({ controlPlaneEndpoint: { externalLoadBalancer: 'kubexm-kh', lb_address: vipOf(lab) } }),
    from: 'node4',
    api: vipOf,
    steps: [
      { title: 'one to three masters', act: { type: 'addFromFile' }, groups: three, limits: ONE_API_SERVER },
      {
        title: 'add a load balancer',
        act: { type: 'add', role: 'loadbalancer', nodes: ['node7'] },
        groups: { ...three, loadbalancer: ['node5', 'node6', 'node7'] },
        limits: NEW_BACKENDS,
      },
      {
        title: 'delete a load balancer',
        act: { type: 'delete', nodes: ['node5'] },
        groups: { ...three, loadbalancer: ['node6', 'node7'] },
        limits: NEW_BACKENDS,
      },
      {
        title: 'three masters to one',
        act: { type: 'delete', nodes: ['node2', 'node3'] },
        groups: { ...one, loadbalancer: ['node6', 'node7'] },
        limits: NEW_BACKENDS,
      },
    ],
  };
};

const etcdOnItsOwnHosts = (type: string): ScaleCell => {
  const base = { master: ['node1'], worker: ['node2'] };
  const five = ['node3', 'node4', 'node5', 'node6', 'node7'];
  const members = (number: number) => ({ etcd: five.slice(0, number), ...base });
  return {
    title: 'etcd on its own hosts, one to three to five to three members',
    name: `etcd-${type}`,
    type,
    machines: 7,
    groups: members(1),
    from: 'node2',
    api: (lab) => addressOf(lab, 0),
    steps: [
      {
        title: 'one to three members',
        act: { type: 'add', role: 'etcd', nodes: ['node4', 'node5'] },
        groups: members(3),
        limits: ONE_API_SERVER,
      },
      {
        title: 'three to five members',
        act: { type: 'add', role: 'etcd', nodes: ['node6', 'node7'] },
        groups: members(5),
        limits: ONE_API_SERVER,
      },
      {
        title: 'five to three members, without the first one',
        act: { type: 'delete', nodes: ['node3', 'node6'] },
        groups: { etcd: ['node4', 'node5', 'node7'], ...base },
        limits: ONE_API_SERVER,
      },
    ],
  };
};

/** The last machine has the external etcd and load balancer, and is not part of the cluster. */
const externalEtcd = (type: string): ScaleCell => {
  const one = { master: ['node1'], worker: ['node2'] };
  const more = { master: ['node1', 'node4'], worker: ['node2', 'node5'] };
  return {
    title: 'external etcd and load balancer, a master and a worker more and less',
    name: `external-${type}`,
    type,
    machines: 5,
    groups: one,
    async spec(lab) {
      const { etcd, controlPlaneEndpoint } = await external(lab);
      return { etcd: etcd!, controlPlaneEndpoint: controlPlaneEndpoint! };
    },
    from: 'node2',
    api: (lab) => addressOf(lab, 2),
    steps: [
      { title: 'add a master and a worker', act: { type: 'addFromFile' }, groups: more, limits: NO_FAILURES },
      {
        title: 'delete them',
        act: { type: 'delete', nodes: ['node4', 'node5'] },
        groups: one,
        limits: NO_FAILURES,
      },
    ],
  };
};

testScaleCells(
  await labNames(),
  TYPES.flatMap((type) => [
    workers(type),
    mastersBehindHaproxy(type),
    mastersBehindKeepalived(type),
    etcdOnItsOwnHosts(type),
    externalEtcd(type),
  ]),
);

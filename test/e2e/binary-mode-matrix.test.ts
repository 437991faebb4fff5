import { labNames } from '../lab/support.ts';
import { balanced, calico, FIVE, external, roles, testCells, type Cell } from './support/matrix.ts';

const kubernetes = { type: 'kubexm' };

const CELLS: readonly Cell[] = [
  {
    title: 'one master and two workers, binary mode, with audit log and encryption at rest',
    name: 'bin',
    machines: 3,
    spec: () => ({ kubernetes: { ...kubernetes, audit: true, encryptionAtRest: true } }),
  },
  ...['1.34.4', '1.35.4'].map((version) => ({
    title: `one node, binary mode, ${version}`,
    name: `bin-${version.replace(/^1\.(\d+)\..*/, '1$1')}`,
    machines: 1,
    version,
    spec: () => ({ kubernetes }),
  })),
  ...(['haproxy', 'nginx'] as const).map((internalLoadbalancer) => ({
    title: `three masters behind an internal ${internalLoadbalancer}, binary mode`,
    name: `bin-${internalLoadbalancer}`,
    machines: 5,
    spec: () => ({ kubernetes, ...roles(FIVE), controlPlaneEndpoint: { internalLoadbalancer } }),
  })),
  {
    title: 'three masters behind keepalived and haproxy, binary mode',
    name: 'bin-kh',
    machines: 7,
    spec: (lab) => ({ kubernetes, ...balanced('kubexm-kh')(lab) }),
  },
  {
    title: 'one master with external etcd and an external load balancer, binary mode',
    name: 'bin-outside',
    machines: 3,
    spec: async (lab) => ({ kubernetes, ...(await external(lab)) }),
  },
  {
    title: 'one master and one worker with Calico, binary mode',
    name: 'bin-calico',
    ...calico,
    spec: () => ({ kubernetes, ...calico.spec() }),
  },
];

testCells(await labNames(), CELLS);

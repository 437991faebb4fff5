import { labNames } from '../lab/support.ts';
import { balanced, FIVE, roles, tryCells, type Cell } from './support/matrix.ts';

const kubernetes = { type: 'kubexm' };

const CELLS: readonly Cell[] = [
  {
    title: 'one master and two workers, from binaries, audited and encrypted',
    name: 'bin',
    machines: 3,
    spec: () => ({ kubernetes: { ...kubernetes, audit: true, encryptionAtRest: true } }),
  },
  ...['1.34.4', '1.35.4'].map((version) => ({
    title: `one node from binaries, ${version}`,
    name: `bin-${version.replace(/^1\.(\d+)\..*/, '1$1')}`,
    machines: 1,
    version,
    spec: () => ({ kubernetes }),
  })),
  ...(['haproxy', 'nginx'] as const).map((internalLoadbalancer) => ({
    title: `three masters behind an internal ${internalLoadbalancer}, from binaries`,
    name: `bin-${internalLoadbalancer}`,
    machines: 5,
    spec: () => ({ kubernetes, ...roles(FIVE), controlPlaneEndpoint: { internalLoadbalancer } }),
  })),
  {
    title: 'three masters behind keepalived and haproxy, from binaries',
    name: 'bin-kh',
    machines: 6,
    spec: (lab) => ({ kubernetes, ...balanced('kubexm-kh')(lab) }),
  },
];

tryCells(await labNames(), CELLS);

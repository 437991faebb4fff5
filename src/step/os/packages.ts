import type { Cluster } from '../../config/model/cluster.ts';
import type { StepView } from '../contract/part.ts';
import { packages } from '../common/packages.ts';
import { defineStep } from '../contract/step.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { packageNames } from '../host-requirements/packages.ts';

/** Installs all system packages in one transaction. */
export const installPackages = (cluster: Cluster) =>
  defineStep({
    name: 'os.packages',
    summary: 'Install system packages',
    timeoutMs: THIRTY_MINUTES,
    reversible: true,
    parts: (view) => {
      const names = namesFor(cluster, view);
      return names.length === 0 ? [] : [packages(names)];
    },
  });

const namesFor = (cluster: Cluster, { host, facts }: StepView) =>
  packageNames(cluster, clusterHost(cluster, host), facts);

const THIRTY_MINUTES = 1_800_000;

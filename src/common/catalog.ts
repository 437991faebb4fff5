import { artifactErrors } from './catalog/artifact.ts';
import { bundleErrors } from './catalog/bundle.ts';
import { configErrors } from './catalog/config.ts';
import { engineErrors } from './catalog/engine.ts';
import { connectionErrors } from './catalog/connection.ts';
import type { CatalogEntry } from './catalog/entry.ts';
import { etcdErrors } from './catalog/etcd.ts';
import { generalErrors } from './catalog/general.ts';
import { kubernetesErrors } from './catalog/kubernetes.ts';
import { labErrors } from './catalog/lab.ts';
import { loadBalancerErrors } from './catalog/load-balancer.ts';
import { pkiErrors } from './catalog/pki.ts';
import { runErrors } from './catalog/run.ts';
import { runnerErrors } from './catalog/runner.ts';

const entries = {
  ...generalErrors,
  ...configErrors,
  ...artifactErrors,
  ...bundleErrors,
  ...engineErrors,
  ...kubernetesErrors,
  ...etcdErrors,
  ...labErrors,
  ...loadBalancerErrors,
  ...pkiErrors,
  ...runErrors,
  ...runnerErrors,
  ...connectionErrors,
};

export type ErrorCode = keyof typeof entries;

/** The parameters that each error is told with. */
export type ErrorParams = { readonly [C in ErrorCode]: (typeof entries)[C]['example'] };

/** Every error a user can meet. Codes are permanent: scripts and searches rely on them. */
export const catalog: { readonly [C in ErrorCode]: CatalogEntry<ErrorParams[C]> } = entries;

import { artifactErrors } from './artifact.ts';
import { bundleErrors } from './bundle.ts';
import { configErrors } from './config.ts';
import { engineErrors } from './engine.ts';
import { connectionErrors } from './connection.ts';
import type { CatalogEntry } from './entry.ts';
import { etcdErrors } from './etcd.ts';
import { generalErrors } from './general.ts';
import { kubernetesErrors } from './kubernetes.ts';
import { labErrors } from './lab.ts';
import { loadBalancerErrors } from './load-balancer.ts';
import { membershipErrors } from './membership.ts';
import { pkiErrors } from './pki.ts';
import { removalErrors } from './removal.ts';
import { runErrors } from './run.ts';
import { runnerErrors } from './runner.ts';

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
  ...membershipErrors,
  ...pkiErrors,
  ...removalErrors,
  ...runErrors,
  ...runnerErrors,
  ...connectionErrors,
};

export type ErrorCode = keyof typeof entries;

/** The parameters of each error, by error code. */
export type ErrorParams = { readonly [C in ErrorCode]: (typeof entries)[C]['example'] };

/** Every error that a user can see. Codes never change, because scripts and search results depend on them. */
export const catalog: { readonly [C in ErrorCode]: CatalogEntry<ErrorParams[C]> } = entries;

import type { Cluster } from './cluster.ts';
import { minorOf } from './version.ts';

/** Returns whether the API servers support validating admission policies. */
export const hasAdmissionPolicies = ({ kubernetes: { version } }: Cluster): boolean => minorOf(version) >= 30;

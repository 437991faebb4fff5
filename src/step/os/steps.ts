import type { Cluster } from '../../config/cluster.ts';
import type { Step } from '../step.ts';
import { kernelSettings } from './kernel-settings.ts';

/** What makes a host ready, in order; removed in the opposite one. */
export const osSteps = (_cluster: Cluster): readonly Step[] => [kernelSettings];

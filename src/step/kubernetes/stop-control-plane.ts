import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { absent } from '../common/absent.ts';
import { stoppedService } from '../common/stopped-service.ts';
import { waitUntil } from '../common/wait-until.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { CONTROL_PLANE } from './binary/control-plane.ts';

/**
 * Stops the control plane of a master that leaves, while its etcd member still runs: the scheduler and the controller
 * manager release their leases, and the API server removes itself from the endpoints of the kubernetes Service.
 */
export const stopControlPlane = ({ kubernetes: { type } }: Cluster): Step =>
  defineStep({
    name: 'control-plane.stop',
    summary: 'Stop the control plane on the master',
    timeoutMs: TEN_MINUTES,
    parts: () =>
      // The API server last: the others release their leases through it.
      CONTROL_PLANE.toReversed().flatMap((component) =>
        type === 'kubexm' ? [stoppedService({ unit: `${component}.service` })] : stoppedPod(component),
      ),
  });

const TEN_MINUTES = 600_000;

const stoppedPod = (component: string): readonly GenericStep[] => [
  absent({ path: `/etc/kubernetes/manifests/${component}.yaml` }),
  waitUntil({
    key: `wait:${component}-stopped`,
    summary: `${component} has stopped`,
    condition: hasStopped(component),
    timeoutMs: FIVE_MINUTES,
  }),
];

const FIVE_MINUTES = 300_000;

/** Without a kubelet nothing stops the process; resetting the node does. */
const hasStopped = (component: string): Command =>
  sh`! pgrep -f ${`^([^ ]*/)?${component}( |$)`} >/dev/null || ! systemctl is-active --quiet kubelet.service`;

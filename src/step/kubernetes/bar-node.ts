import { hasAdmissionPolicies } from '../../config/model/security.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh, shellWords, type Command } from '../../runner/command.ts';
import { command } from '../common/command.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import type { Manifest } from '../kubernetes-object/manifest.ts';

/**
 * Makes the API servers reject every change by the credentials of removed nodes, which stay valid until they expire. A
 * host that comes back could otherwise register its node again. Runs on a master.
 */
export const barNodes = (nodes: readonly string[]): Step =>
  defineStep({
    name: 'node.bar',
    summary: `Revoke the access of ${nodes.join(', ')} to the API servers`,
    parts: () =>
      nodes.map((node) =>
        applied({
          id: `removed-${node}`,
          name: `ValidatingAdmissionPolicy ${nameOf(node)}`,
          objects: async () => policyOf(node),
        }),
      ),
  });

/** Accepts the credentials of nodes again: their hosts were reset. Runs on a master. */
export const admitNodes = (nodes: readonly string[]): Step =>
  defineStep({
    name: 'node.admit',
    summary: `Remove the access policies of ${nodes.join(', ')}`,
    parts: () =>
      nodes.map((node) =>
        command({
          key: `command:admit-${node}`,
          summary: `delete ValidatingAdmissionPolicy ${nameOf(node)}`,
          check: sh`found=$(${kubectl(sh`get ${policies(node)} --ignore-not-found -o name`)}) && [ -z "$found" ]`,
          run: kubectl(sh`delete ${policies(node)} --ignore-not-found`),
          because: 'exists',
        }),
      ),
  });

/** Deletes the Node object of a host that is about to join, and accepts its credentials again. */
export const forgetNode = (cluster: Cluster, node: string): Command =>
  kubectl(sh`delete node/${node} ${hasAdmissionPolicies(cluster) ? policies(node) : sh``} --ignore-not-found`);

const nameOf = (node: string) => `kubexm-removed-${node}`;

const policies = (node: string): Command =>
  shellWords([`validatingadmissionpolicy/${nameOf(node)}`, `validatingadmissionpolicybinding/${nameOf(node)}`]);

const policyOf = (node: string): readonly Manifest[] => {
  const metadata = {
    name: nameOf(node),
    labels: { 'app.kubernetes.io/managed-by': 'kubexm' },
    annotations: { 'kubexm.io/removed-node': node },
  };
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
        },
        matchConditions: [{ name: 'removed-node', expression: `request.userInfo.username == 'system:node:${node}'` }],
        validations: [
          {
            expression: 'false',
            message: `${node} was removed from the cluster; reset the host with: kubexm delete nodes --cleanup ${node}`,
          },
        ],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: nameOf(node), validationActions: ['Deny'] },
    },
  ];
};

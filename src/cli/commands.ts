import { addNodesCommand } from './command/add-nodes.ts';
import { addonInstall } from './command/addon-install.ts';
import { addonList } from './command/addon-list.ts';
import { addonUninstall } from './command/addon-uninstall.ts';
import { checkHostsCommand } from './command/check-hosts.ts';
import type { Command } from './command.ts';
import { cordonNodeCommand } from './command/cordon-node.ts';
import { createClusterCommand } from './command/create-cluster.ts';
import { deleteClusterCommand } from './command/delete-cluster.ts';
import { deleteNodesCommand } from './command/delete-nodes.ts';
import { getContexts } from './command/config-get-contexts.ts';
import { mergeKubeconfigCommand } from './command/config-merge-kubeconfig.ts';
import { useContext } from './command/config-use-context.ts';
import { completion } from './command/completion.ts';
import { viewConfig } from './command/config-view.ts';
import { createConfig } from './command/create-config.ts';
import { describeClusterCommand } from './command/describe-cluster.ts';
import { describeRun } from './command/describe-run.ts';
import { downloadArtifacts } from './command/download-artifacts.ts';
import { drainNodeCommand } from './command/drain-node.ts';
import { generateDocs } from './command/generate-docs.ts';
import { generateSchema } from './command/generate-schema.ts';
import { getArtifacts } from './command/get-artifacts.ts';
import { getClusters } from './command/get-clusters.ts';
import { getNodes } from './command/get-nodes.ts';
import { getRuns } from './command/get-runs.ts';
import { healthCluster } from './command/health-cluster.ts';
import { labDown } from './command/lab-down.ts';
import { labFaultClear } from './command/lab-fault-clear.ts';
import { labFaultList } from './command/lab-fault-list.ts';
import { labFaults } from './command/lab-fault.ts';
import { labMirrorBuild } from './command/lab-mirror-build.ts';
import { labMirrorServe } from './command/lab-mirror-serve.ts';
import { labSsh } from './command/lab-ssh.ts';
import { labStatus } from './command/lab-status.ts';
import { labUp } from './command/lab-up.ts';
import { logsRun } from './command/logs-run.ts';
import { offlineDiff } from './command/offline-diff.ts';
import { offlinePackage } from './command/offline-package.ts';
import { offlineSync } from './command/offline-sync.ts';
import { offlineVerify } from './command/offline-verify.ts';
import { createRegistryCommand } from './command/create-registry.ts';
import { deleteRegistryCommand } from './command/delete-registry.ts';
import { runCommandCommand } from './command/run-command.ts';
import { runTask } from './command/run-task.ts';
import { uncordonNodeCommand } from './command/uncordon-node.ts';
import { validateCluster } from './command/validate-cluster.ts';
import { version } from './command/version.ts';

/** All commands, in the order of the reference page. */
export const commands: readonly Command[] = [
  createConfig,
  createClusterCommand,
  deleteClusterCommand,
  addNodesCommand,
  deleteNodesCommand,
  cordonNodeCommand,
  uncordonNodeCommand,
  drainNodeCommand,
  createRegistryCommand,
  deleteRegistryCommand,
  addonInstall,
  addonUninstall,
  addonList,
  getClusters,
  getNodes,
  describeClusterCommand,
  healthCluster,
  validateCluster,
  checkHostsCommand,
  getArtifacts,
  downloadArtifacts,
  offlinePackage,
  offlineVerify,
  offlineDiff,
  offlineSync,
  runTask,
  runCommandCommand,
  getRuns,
  describeRun,
  logsRun,
  getContexts,
  useContext,
  viewConfig,
  mergeKubeconfigCommand,
  labUp,
  labDown,
  labStatus,
  labSsh,
  ...labFaults,
  labFaultList,
  labFaultClear,
  labMirrorBuild,
  labMirrorServe,
  generateDocs,
  generateSchema,
  completion,
  version,
];

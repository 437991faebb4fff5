import { addonInstall } from './addon/install.ts';
import { addonList } from './addon/list.ts';
import { addonUninstall } from './addon/uninstall.ts';
import { checkHostsCommand } from './check/hosts.ts';
import type { Command } from './command.ts';
import { createClusterCommand } from './cluster/create.ts';
import { deleteClusterCommand } from './cluster/delete.ts';
import { getContexts } from './config/get-contexts.ts';
import { mergeKubeconfigCommand } from './config/merge-kubeconfig.ts';
import { useContext } from './config/use-context.ts';
import { completion } from './completion/completion.ts';
import { viewConfig } from './config/view.ts';
import { createConfig } from './create/config.ts';
import { describeClusterCommand } from './describe/cluster.ts';
import { describeRun } from './describe/run.ts';
import { downloadArtifacts } from './download/artifacts.ts';
import { generateDocs } from './generate/docs.ts';
import { generateSchema } from './generate/schema.ts';
import { getArtifacts } from './get/artifacts.ts';
import { getClusters } from './get/clusters.ts';
import { getNodes } from './get/nodes.ts';
import { getRuns } from './get/runs.ts';
import { healthCluster } from './health/cluster.ts';
import { labCommands } from './lab/commands.ts';
import { logsRun } from './logs/run.ts';
import { offlineDiff } from './offline/diff.ts';
import { offlinePackage } from './offline/package.ts';
import { offlineSync } from './offline/sync.ts';
import { offlineVerify } from './offline/verify.ts';
import { createRegistryCommand } from './registry/create.ts';
import { deleteRegistryCommand } from './registry/delete.ts';
import { runCommandCommand } from './run/command.ts';
import { runTask } from './run/task.ts';
import { validateCluster } from './validate/cluster.ts';
import { version } from './version.ts';

/** Every command, in the order of the reference page. */
export const commands: readonly Command[] = [
  createConfig,
  createClusterCommand,
  deleteClusterCommand,
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
  ...labCommands,
  generateDocs,
  generateSchema,
  completion,
  version,
];

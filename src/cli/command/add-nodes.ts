import { defineCommand } from '../command.ts';
import { offlineOptions } from '../options/artifacts.ts';
import { clusterHosts } from '../options/cluster-hosts.ts';
import { pipelineOptions } from '../options/pipeline.ts';

const { nodes: _, ...runOptions } = pipelineOptions;

export const addNodesCommand = defineCommand({
  path: 'add nodes',
  summary: 'Add hosts to a running cluster',
  description:
    'With --nodes, adds new hosts to the cluster file after a confirmation, keeps a copy of the old file in the same directory, and adds the hosts to the cluster. New hosts get the login settings of an existing host.\nWithout --nodes, adds the hosts and roles that are in the cluster file but not in the cluster.\nWorkers are added at the same time, masters and etcd members one after another. Connects only to hosts that must be changed.',
  options: {
    ...runOptions,
    nodes: {
      type: 'list',
      value: 'HOSTS',
      summary: 'addresses of new hosts, or hosts in the cluster file (comma-separated or repeated)',
      complete: clusterHosts,
    },
    role: {
      type: 'list',
      value: 'ROLES',
      summary: 'roles of the hosts in --nodes: worker, master, etcd or loadbalancer (comma-separated or repeated)',
      complete: () => Promise.resolve(['worker', 'master', 'etcd', 'loadbalancer']),
    },
    names: {
      type: 'list',
      value: 'NAMES',
      summary: 'names of the new hosts (default: like existing hosts, such as node4 after node3)',
    },
    sshUser: {
      ...runOptions.sshUser,
      summary: 'SSH user for the hosts in --nodes, written to the cluster file; without --nodes, for all hosts',
    },
    sshPrivateKey: {
      ...runOptions.sshPrivateKey,
      summary: 'private key for the hosts in --nodes, written to the cluster file; without --nodes, for all hosts',
    },
    ...offlineOptions,
    skipPreflight: { type: 'flag', summary: 'skip the preflight checks' },
    ignorePreflight: { type: 'list', value: 'IDS', summary: 'continue despite errors in these checks, e.g. PF3,PF9' },
  },
  examples: [
    {
      command: 'kubexm add nodes -c prod --nodes 10.0.0.14,10.0.0.15 --role worker --dry-run',
      does: 'Show the changes to the cluster file and the plan',
    },
    { command: 'kubexm add nodes -c prod --nodes 10.0.0.14,10.0.0.15 --role worker', does: 'Add two workers' },
    {
      command: 'kubexm add nodes -c prod --nodes 10.0.0.16 --names db1 --role worker --ssh-user ops -i ~/.ssh/id_ops',
      does: 'Set the name and login of a new host',
    },
    { command: 'kubexm add nodes -f cluster.yaml', does: 'Add the hosts that are new in the cluster file' },
    { command: 'kubexm add nodes -f cluster.yaml --resume', does: 'Resume after a failure' },
  ],
  async run(call) {
    const { runAddition } = await import('../execute/add-hosts.ts');
    return runAddition({ ...call, options: { ...call.options, nodes: [] } }, call.options);
  },
});

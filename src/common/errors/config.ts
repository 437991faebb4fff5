import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const path = 'cluster.yaml';

/** Errors in the cluster file and other input files. */
export const configErrors = {
  CONFIG_INVALID: entry(
    EXIT.config,
    {
      file: path,
      errors: 2,
      findings: [
        'cluster.yaml:12:11 spec.kubernetes.type: is not allowed, got "kubeamd", allowed: kubeadm, kubexm. Did you mean kubeadm?',
        'cluster.yaml:20:5 spec.roleGroups.worker[0]: is not in spec.hosts, got "node9". Did you mean node1?',
      ].join('\n'),
    },
    (p) => ({
      title: `${p.file} has ${p.errors === 1 ? 'one error' : `${p.errors} errors`}`,
      message: p.findings,
      hint: `Fix the errors, then check again: kubexm validate cluster -f ${p.file}`,
    }),
  ),
  FILE_NOT_FOUND: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path} not found`,
    message: `The file ${p.path} does not exist.`,
    hint: /\.ya?ml$/.test(p.path)
      ? `Check the path, or create a cluster file: kubexm create config -f ${p.path}`
      : `Check the path: ls -l ${p.path}`,
  })),
  FILE_IS_DIRECTORY: entry(EXIT.config, { path: 'clusters' }, (p) => ({
    title: `${p.path} is a directory`,
    message: 'A file is required.',
    hint: `Choose a file in this directory: ls ${p.path}`,
  })),
  FILE_UNREADABLE: entry(EXIT.config, { path, reason: 'permission denied' }, (p) => ({
    title: `Could not read ${p.path}`,
    message: `Reading the file failed: ${p.reason}.`,
    hint: `Check the owner and mode of the file: ls -l ${p.path}`,
  })),
  FILE_UNWRITABLE: entry(EXIT.config, { path, reason: 'permission denied' }, (p) => ({
    title: `Could not write ${p.path}`,
    message: `Writing the file failed: ${p.reason}. Nothing was changed.`,
    hint: `Check the permissions of its directory and the free disk space: ls -ld $(dirname ${p.path}); df -h $(dirname ${p.path})`,
  })),
  FILE_EXISTS: entry(EXIT.refused, { path }, (p) => ({
    title: `${p.path} already exists`,
    message: 'The file was not overwritten.',
    hint: 'Choose another name with -f, or add --yes to overwrite it.',
  })),
  FILE_EMPTY: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path} is empty`,
    message: 'The file has no content.',
    hint: `Create a cluster file: kubexm create config -f ${p.path} --yes`,
  })),
  FILE_TOO_LARGE: entry(EXIT.config, { path, limit: '4.0 MB' }, (p) => ({
    title: `${p.path} is too large`,
    message: `A cluster file must not exceed ${p.limit}. This file is probably not a cluster file.`,
    hint: `Check the file type: file ${p.path}`,
  })),
  FILE_NOT_TEXT: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path} is not a text file`,
    message: 'The file is not valid UTF-8.',
    hint: `Check the file type: file ${p.path}`,
  })),
  CLUSTER_FILE_CHANGED: entry(EXIT.refused, { path }, (p) => ({
    title: `${p.path} was changed by another process`,
    message: 'The file is no longer the one that this command read, so it was not overwritten.',
    hint: 'Repeat the command: it reads the file again.',
  })),
  CLUSTER_FILE_NOT_EDITABLE: entry(
    EXIT.config,
    {
      path,
      reason: 'spec.roleGroups.etcd is the same list as another group',
      lines: 'spec:\n  roleGroups:\n    master: [node4] # add to the group',
      command: 'kubexm add nodes -f cluster.yaml',
    },
    (p) => ({
      title: `Could not edit ${p.path}`,
      message: `The change cannot be made safely: ${p.reason}. Nothing was changed. Make it yourself:\n${p.lines}`,
      hint: p.command,
    }),
  ),
  CLUSTER_FILE_WOULD_BE_INVALID: entry(
    EXIT.config,
    {
      path,
      findings:
        'spec.controlPlaneEndpoint.internalLoadbalancer: is required for 2 masters unless externalLoadBalancer is set',
    },
    (p) => ({
      title: `${p.path} would be invalid after this change`,
      message: `${p.findings}\nNothing was changed.`,
      hint: `Change these fields first, then check the file: kubexm validate cluster -f ${p.path}`,
    }),
  ),
  NODES_INVALID: entry(
    EXIT.usage,
    { command: 'add nodes', problems: 'node3 is already the name of 10.0.0.13' },
    (p) => ({
      title: 'The hosts cannot be added',
      message: `${p.problems}\nNothing was changed.`,
      hint: `kubexm ${p.command} --help`,
    }),
  ),
  HOST_REFERENCED: entry(EXIT.refused, { path, references: 'node1 is the jump host of node2' }, (p) => ({
    title: 'Other fields of the cluster file refer to these hosts',
    message: `${p.references}\nNothing was changed.`,
    hint: `Change these fields first, then check the file: kubexm validate cluster -f ${p.path}`,
  })),
  OVERRIDE_INVALID: entry(EXIT.usage, { text: 'kubernetes.version', reason: 'the = is missing' }, (p) => ({
    title: `-e ${p.text} is invalid`,
    message: `An override has the form key=value, but ${p.reason}.`,
    hint: 'For example: -e kubernetes.version=v1.34.4 or -e hosts[0].port=2222',
  })),
  CONTEXT_NOT_FOUND: entry(EXIT.config, { name: 'prod', known: 'lab, staging' }, (p) => ({
    title: `Context ${p.name} not found`,
    message: `Existing contexts: ${p.known}.`,
    hint: 'kubexm config get-contexts',
  })),
  CONTEXTS_INVALID: entry(EXIT.config, { path: '~/.kubexm/config' }, (p) => ({
    title: `${p.path} is invalid`,
    message: 'The file must contain currentContext and contexts, each with name, file and workdir.',
    hint: `Fix the file, or rename it and let kubexm create new contexts as needed: mv ${p.path} ${p.path}.old`,
  })),
};

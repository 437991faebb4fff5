import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const path = 'cluster.yaml';

/** Errors of the cluster file and the other files a user hands in. */
export const configErrors = {
  CONFIG_INVALID: entry(
    EXIT.config,
    {
      file: path,
      errors: 2,
      findings: [
        'cluster.yaml:12:11 spec.kubernetes.type: is not allowed, got "kubeamd", allowed: kubeadm, kubexm. Did you mean kubeadm?',
        'cluster.yaml:20:5 spec.roleGroups.worker[0]: names no host, got "node9". Did you mean node1?',
      ].join('\n'),
    },
    (p) => ({
      title: `${p.file} has ${p.errors === 1 ? 'one error' : `${p.errors} errors`}`,
      message: p.findings,
      hint: `Mend the places named above, then look again: kubexm validate cluster -f ${p.file}`,
    }),
  ),
  FILE_NOT_FOUND: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path} does not exist`,
    message: `There is no file ${p.path}.`,
    hint: `Check the path, or write a new file: kubexm create config -f ${p.path}`,
  })),
  FILE_IS_DIRECTORY: entry(EXIT.config, { path: 'clusters' }, (p) => ({
    title: `${p.path} is a directory`,
    message: 'One file is wanted, and this is a directory.',
    hint: `Name a file in it: ls ${p.path}`,
  })),
  FILE_UNREADABLE: entry(EXIT.config, { path, reason: 'permission denied' }, (p) => ({
    title: `${p.path} cannot be read`,
    message: `Reading it failed: ${p.reason}.`,
    hint: `Look at its owner and mode: ls -l ${p.path}`,
  })),
  FILE_UNWRITABLE: entry(EXIT.config, { path, reason: 'permission denied' }, (p) => ({
    title: `${p.path} cannot be written`,
    message: `Writing it failed: ${p.reason}. Nothing was changed.`,
    hint: `Look at the owner and mode of its folder, and for room: ls -ld $(dirname ${p.path}); df -h $(dirname ${p.path})`,
  })),
  FILE_EXISTS: entry(EXIT.refused, { path }, (p) => ({
    title: `${p.path} exists already`,
    message: 'It was left as it is: a file that someone wrote is not overwritten without a yes.',
    hint: 'Choose another name with -f, or add --yes to replace it.',
  })),
  FILE_EMPTY: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path} is empty`,
    message: 'The file has no content.',
    hint: `Write a new one: kubexm create config -f ${p.path} --yes`,
  })),
  FILE_TOO_LARGE: entry(EXIT.config, { path, limit: '4.0 MB' }, (p) => ({
    title: `${p.path} is too large`,
    message: `A cluster file has at most ${p.limit}. Probably this is another file.`,
    hint: `Look at what it is: file ${p.path}`,
  })),
  FILE_NOT_TEXT: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path} is not a text file`,
    message: 'It holds bytes that are no UTF-8 text.',
    hint: `Look at what it is: file ${p.path}`,
  })),
  OVERRIDE_INVALID: entry(EXIT.usage, { text: 'kubernetes.version', reason: 'there is no = in it' }, (p) => ({
    title: `-e ${p.text} is not understood`,
    message: `An override is key=value, and here ${p.reason}.`,
    hint: 'For example: -e kubernetes.version=v1.34.4 or -e hosts[0].port=2222',
  })),
  CONTEXT_NOT_FOUND: entry(EXIT.config, { name: 'prod', known: 'lab, staging' }, (p) => ({
    title: `There is no context named ${p.name}`,
    message: `Contexts that are there: ${p.known}.`,
    hint: 'kubexm config get-contexts',
  })),
  CONTEXTS_INVALID: entry(EXIT.config, { path: '~/.kubexm/config' }, (p) => ({
    title: `${p.path} is not understood`,
    message: 'It should hold currentContext and contexts, each with name, file and workdir.',
    hint: `Mend it, or set it aside; contexts come back as commands make them: mv ${p.path} ${p.path}.old`,
  })),
};

/** What the first words of commands are about. */
export const groups: Readonly<Record<string, string>> = {
  addon: 'What runs on a cluster beside Kubernetes itself',
  check: 'Find what is in the way before anything is changed',
  config: 'Choose the cluster that commands work on',
  create: 'Make a cluster, its registry, or the file that describes one',
  delete: 'Remove a cluster or its registry from the hosts',
  describe: 'Tell all there is to know of one thing',
  download: 'Bring what a cluster needs to this machine',
  fault: 'Make something go wrong with a machine of a lab',
  generate: 'Write the reference pages and the JSON Schema',
  get: 'List what there is of something',
  lab: 'Real machines on this computer, to try kubexm on',
  logs: 'Read what was logged',
  mirror: 'Binaries and images built here, served like the internet',
  offline: 'Carry what a cluster needs to a place without a network',
  run: 'Work on hosts of a cluster directly',
  validate: 'Check a cluster file',
};

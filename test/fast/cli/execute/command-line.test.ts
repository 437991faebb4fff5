import { expect, it } from 'vitest';
import { commandLine, resumeLine } from '../../../../src/cli/execute/command-line.ts';

it.each([
  [['create', 'cluster', '-f', 'my file.yaml'], "kubexm create cluster -f 'my file.yaml'"],
  [['-e', 'hosts.node1.password=hunter2'], 'kubexm -e hosts.node1.password=•••'],
  [['-ehosts.node1.sudoPassword=a b'], 'kubexm -ehosts.node1.sudoPassword=•••'],
  [['--extra-vars=registry.auth.password=x=y'], 'kubexm --extra-vars=registry.auth.password=•••'],
  [['-e', 'kubernetes.version=v1.36.3'], 'kubexm -e kubernetes.version=v1.36.3'],
])('shows %j as %s', (argv, line) => expect(commandLine(argv)).toBe(line));

it('adds --resume once to the command line', () => {
  expect(resumeLine(['delete', 'cluster', '-y'])).toBe('kubexm delete cluster -y --resume');
  expect(resumeLine(['delete', 'cluster', '--resume'])).toBe('kubexm delete cluster --resume');
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSshServer } from '../../../fake/ssh-server.ts';
import { home, kubexm } from '../kubexm.ts';

const PASSWORD = 'test-only-7d1e';

/** Runs a command on two hosts. */
async function runOnHosts(command: string, ...flags: readonly string[]) {
  const folder = home();
  const start = (name: string, address: string) =>
    startSshServer({ address, password: PASSWORD, env: { HOME: join(folder, name) } });
  using node1 = await start('node1', '127.0.0.2');
  using node2 = await start('node2', '127.0.0.3');
  const file = join(folder, 'cluster.yaml');
  writeFileSync(
    file,
    `apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata: {name: demo}
spec:
  hosts:
    - {name: node1, address: 127.0.0.2, port: ${node1.port}, user: ops, password: ${PASSWORD}}
    - {name: node2, address: 127.0.0.3, port: ${node2.port}, user: ops, password: ${PASSWORD}}
  roleGroups: {etcd: [node1], master: [node1], worker: [node1, node2]}
`,
  );
  return await kubexm(['run', 'command', '-f', file, '--workdir', folder, '--as-user', ...flags, '--', command]);
}

it('succeeds if the command succeeded on every host', async () => {
  const { exit, stdout, stderr } = await runOnHosts('echo "${HOME##*/} is up"');
  expect(stderr).not.toContain('Failed');
  expect(stdout.split('\n').toSorted()).toEqual(['', 'node1  node1 is up', 'node2  node2 is up']);
  expect(exit).toBe(0);
});

it('fails if the command failed on a single host, and names it', async () => {
  const { exit, stderr } = await runOnHosts('[ "${HOME##*/}" = node1 ] || exit 7');
  expect(stderr).toContain('It failed on these hosts (of 2 in total): node2 (exit 7).');
  expect(exit).toBe(12);
});

it('fails with JSON output, too', async () => {
  const { exit, stdout } = await runOnHosts('[ "${HOME##*/}" = node1 ] || exit 7', '-o', 'json');
  const outcomes: readonly { host: string; exit: number }[] = JSON.parse(stdout);
  expect(outcomes.map(({ host, exit: code }) => [host, code])).toEqual([
    ['node1', 0],
    ['node2', 7],
  ]);
  expect(exit).toBe(12);
});

import { expect, it } from 'vitest';
import { fail } from '../../../../src/common/errors/errors.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { verifyJoin } from '../../../../src/step/kubernetes/verify-join.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';

const cluster = await loadCluster('examples/ha-haproxy.yaml');
const hosts = hostsOf(cluster);
const named = (name: string) => hosts.all.find((host) => host.name === name)!;

/** Checks new nodes from node1, some of which died, and returns what was removed from the cluster. */
async function verify(nodes: readonly string[], dead: readonly string[]) {
  const removed: string[] = [];
  const registered = new Set(nodes);
  const fakes = new Map(hosts.all.map(({ name }) => [name, fakeHost(name)]));
  const unreachable = (host: string) =>
    fail('HOST_UNREACHABLE', { host, address: '', seconds: 30, reason: 'no route' });
  for (const name of dead) fakes.get(name)!.fault(/./, { error: unreachable(name) });
  const master = fakes.get('node1')!;
  master.answer(/get node (\S+)/, ([, name = '']) => ok(registered.has(name) ? `node/${name}\n` : ''));
  master.answer(/delete node (\S+)/, ([, name = '']) => (registered.delete(name), removed.push(`node ${name}`), ok()));
  const members = {
    has: () => Promise.resolve(true),
    forget: (_: unknown, __: unknown, { name }: { readonly name: string }) =>
      Promise.resolve(void removed.push(`member ${name}`)),
    forgetFailedJoins: () => Promise.resolve(),
  };
  const on = ({ name }: { readonly name: string }) => createRunner(fakes.get(name)!, fakeFacts(name));
  const ctx = fakeContext(named('node1'), master, { hosts, on, runner: on({ name: 'node1' }) });
  const [part] = verifyJoin({ cluster, nodes: nodes.map(named), members }).parts(ctx);
  const { done } = await part!.precheck(ctx);
  const error: unknown = done ? undefined : await part!.run(ctx).catch((cause: unknown) => cause);
  return { done, removed, error };
}

it('changes nothing while the new nodes respond', async () => {
  expect(await verify(['node2', 'node4'], [])).toMatchObject({ done: true, removed: [] });
});

it('removes a worker that died while it joined, and lets the others continue', async () => {
  expect(await verify(['node4', 'node5'], ['node5'])).toEqual({
    done: false,
    removed: ['node node5'],
    error: undefined,
  });
});

it('removes a master that died while it joined, with its etcd member, and ends the run', async () => {
  const { removed, error } = await verify(['node2', 'node4'], ['node2']);
  expect(removed).toEqual(['node node2', 'member node2']);
  expect(error).toMatchObject({ code: 'JOIN_INCOMPLETE' });
});

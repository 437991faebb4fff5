import { fail } from '../../src/common/errors/errors.ts';
import { broadcast, type Subscriber } from '../../src/engine/event/event.ts';
import { chain, scope } from '../../src/plan/fragment.ts';
import { toGraph } from '../../src/plan/graph.ts';
import { fakeStep } from './fake-step.ts';
import { fakeWorld } from './fake-world.ts';

/** Part of an error message of the sample run. */
export const SECRET = 'hunter2';

export const redact = (text: string) => text.replaceAll(SECRET, '•••');

/** A run with all outcomes: changed, unchanged, the same failure on two hosts, quarantined and rolled back. */
export async function sampleRun(...subscribers: Subscriber[]) {
  const world = fakeWorld(['a', 'b', 'c', 'd']);
  world.fake('a').files.set('/x.0', 'x.0');
  for (const name of ['b', 'c']) world.fake(name).fault(/cat > \/x.1$/, { exit: 1 });
  const unreachable = Object.assign(
    fail('COMMAND_FAILED', { command: `ssh ${SECRET}`, exit: 255, output: 'no route' }),
    {
      exit: 11,
    },
  );
  world.fake('d').fault(/cat/, { error: unreachable });
  const graph = toGraph(
    'create-cluster',
    scope('m', scope('t', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1')]), 'Write two files')),
  );
  const result = await world.run(graph, {
    report: broadcast(...subscribers),
    resumeCommand: 'kubexm create cluster --resume',
  });
  return { world, graph, result };
}

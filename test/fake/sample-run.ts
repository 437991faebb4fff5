import { fail } from '../../src/common/errors/errors.ts';
import { Secret } from '../../src/common/secret.ts';
import { broadcast, type Subscriber } from '../../src/engine/event/event.ts';
import { chain, scope } from '../../src/plan/fragment.ts';
import { toGraph } from '../../src/plan/to-graph.ts';
import { fakeStep } from './fake-step.ts';
import { fakeWorld } from './fake-world.ts';

/** A secret, and a control sequence that sets the clipboard: both are part of an error message of the sample run. */
export const SECRET = new Secret('hunter2').reveal();
export const CLIPBOARD = '\x1b]52;c;aGFjaw==\x07';

/** A run with all outcomes: changed, unchanged, the same failure on two hosts, quarantined and rolled back. */
export async function sampleRun(...subscribers: Subscriber[]) {
  const world = fakeWorld(['a', 'b', 'c', 'd']);
  world.fake('a').files.set('/x.0', 'x.0');
  for (const name of ['b', 'c']) world.fake(name).fault(/cat > \/x.1$/, { exit: 1 });
  const unreachable = Object.assign(
    fail('COMMAND_FAILED', { command: `ssh ${SECRET}`, exit: 255, output: `${CLIPBOARD}no route` }),
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

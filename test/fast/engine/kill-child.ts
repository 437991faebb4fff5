import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import { openJournal, type Journal } from '../../../src/engine/journal/journal.ts';
import { resumeJournal } from '../../../src/engine/journal/resume.ts';
import { chain, scope, sequence } from '../../../src/plan/fragment.ts';
import { toGraph } from '../../../src/plan/graph.ts';
import { defineStep } from '../../../src/step/contract/step.ts';
import { fakeWorld } from '../../fake/fake-world.ts';

/**
 * A run on machines that are folders, in a process of its own, which kills itself with -9 at a record of the journal:
 * before the record is written, or once it is on disk. Argument: the folder, the number of steps, the record, when.
 */
const [folder = '', steps = '0', record = '0', when = 'saved'] = process.argv.slice(2);
const world = fakeWorld(['a', 'b', 'c']);
const step = (at: number) =>
  defineStep({
    name: `s.${at}`,
    summary: `step ${at}`,
    parts: () => [
      {
        key: `command:write ${at}`,
        summary: `write ${at}`,
        precheck: async ({ host }) =>
          existsSync(join(folder, host.name, `${at}`)) ? { done: true } : { done: false, because: 'it is not there' },
        remember: async () => null,
        run: async ({ host }) => {
          mkdirSync(join(folder, host.name), { recursive: true });
          writeFileSync(join(folder, host.name, `${at}`), readBefore(host.name, at));
          appendFileSync(join(folder, 'effects'), `${host.name} ${at}\n`);
        },
      },
    ],
  });
const all = Array.from({ length: Number(steps) }, (_, at) => step(at));
const half = all.length >> 1;
const graph = toGraph(
  'kill',
  sequence(scope('one', chain(world.hosts, all.slice(0, half))), scope('two', chain(world.hosts, all.slice(half)))),
);

const path = join(folder, 'journal.jsonl');
const resumed = existsSync(path) ? await resumeJournal({ path }) : undefined;
const journal = resumed?.journal ?? (await openJournal({ path }));
const { exit } = await execute(graph, {
  run: { id: 'kill', cluster: 'kill' },
  contextFor: world.contextFor,
  journal: killing(journal),
  ...(resumed && { state: resumed.state }),
});
process.exitCode = exit;

/** Each file holds what the one before it held and its own number: an order that was broken would be seen. */
function readBefore(host: string, at: number): string {
  return `${at === 0 ? '' : readFileSync(join(folder, host, `${at - 1}`), 'utf8')}${at} `;
}

function killing(journal: Journal): Journal {
  let count = 0;
  const kill = () => process.kill(process.pid, 'SIGKILL');
  return {
    append: (entry) => {
      count += 1;
      if (count === Number(record) && when === 'before') kill();
      journal.append(entry);
      if (count === Number(record)) void journal.saved().then(kill);
    },
    saved: () => journal.saved(),
    get broken() {
      return journal.broken;
    },
    [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose](),
  };
}

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import { openJournal, type Journal } from '../../../src/engine/journal/journal.ts';
import { resumeJournal } from '../../../src/engine/journal/resume.ts';
import { chain, scope, sequence } from '../../../src/plan/fragment.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import { defineStep } from '../../../src/step/contract/step.ts';
import { fakeWorld } from '../../fake/fake-world.ts';

/**
 * A run on directories that stand for hosts. The process kills itself (SIGKILL) at one journal record, before it is
 * written or once it is on disk. Arguments: directory, number of steps, record number, "before" or "saved".
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
          existsSync(join(folder, host.name, `${at}`)) ? { done: true } : { done: false, because: 'it does not exist' },
        remember: async () => null,
        run: async ({ host }) => {
          mkdirSync(join(folder, host.name), { recursive: true });
          writeFileSync(join(folder, host.name, `${at}`), contentOf(host.name, at));
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
  journal: killAtRecord(journal),
  ...(resumed && { state: resumed.state }),
});
process.exitCode = exit;

/** Each file contains the previous file and its own number, so that its content shows the order of steps. */
function contentOf(host: string, at: number): string {
  return `${at === 0 ? '' : readFileSync(join(folder, host, `${at - 1}`), 'utf8')}${at} `;
}

function killAtRecord(journal: Journal): Journal {
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

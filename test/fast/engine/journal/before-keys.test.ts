import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resumeJournal } from '../../../../src/engine/journal/resume.ts';
import { chain } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/to-graph.ts';
import type { GenericStep } from '../../../../src/step/contract/part.ts';
import { fakeFile, fakeStep } from '../../../fake/fake-step.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'kubexm-journal-')), 'journal.jsonl');
  copyFileSync('test/fixtures/journals/before-keys.jsonl', path);
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

/** A part for the same file with a changed summary. */
const reworded = (target: string, content: string): GenericStep => ({
  ...fakeFile(target, content),
  summary: `put ${content} into ${target}`,
});

const resumed = async (part: (target: string, content: string) => GenericStep) => {
  const world = fakeWorld(['a']);
  const { files } = world.fake('a');
  files.set('/s.0', 's.0').set('/s.0.1', 's.0').set('/s.1', 'half');
  world.fake('a').fault(/cat > \/(s.1|new).1$/, { exit: 1, times: 1 });
  const steps = ['s.0', 's.1'].map((name) =>
    fakeStep(name, { parts: () => [part(`/${name}`, name), part(`/${name}.1`, name)] }),
  );
  const { journal, state } = await resumeJournal({ path });
  await using open = journal;
  const result = await world.run(toGraph('p', chain(world.hosts, steps)), { journal: open, state });
  return { result, content: world.fake('a').content() };
};

it('rolls back a run recorded before keys existed, although summaries have changed since', async () => {
  const { result, content } = await resumed((target, text) => ({
    ...reworded(target, text),
    formerly: [`write ${target}`],
  }));
  expect(result).toMatchObject({ outcome: 'failed', rollback: { notUndone: [] } });
  expect(content).toEqual(['/s.0: mine', '/s.1: mine, too']);
});

it('reports a record that matches no part', async () => {
  const { result } = await resumed(reworded);
  expect(result.rollback?.notUndone.map(({ reason }) => reason).join()).toContain('write /s.1');
});

it('rolls back a part at the position that another part had before keys existed', async () => {
  const { result, content } = await resumed((target, text) => fakeFile(target.replace('/s.1', '/new'), text));
  expect(result.rollback?.notUndone.map(({ reason }) => reason).join()).toContain('write /s.1');
  expect(content).not.toContain('/new: s.1');
});

import { basename } from 'node:path';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { writeResults } from '../../bench/results.ts';

/** Writes what the long suites saw to docs/results.md, a section for each: every test, how it ended, how long it took, and what it printed. */
class ResultsReporter implements Reporter {
  readonly #said = new Map<string, string[]>();

  onUserConsoleLog({ content, taskId }: UserConsoleLog): void {
    const suite = taskId?.split('_')[0] ?? '';
    this.#said.set(suite, [...(this.#said.get(suite) ?? []), content.trim()]);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      const tests = [...module.children.allTests()].filter((test) => test.result().state !== 'skipped');
      const failed = tests.filter((test) => test.result().state === 'failed').length;
      const said = this.#said.get(module.id.split('_')[0] ?? '') ?? [];
      if (tests.length === 0) continue;
      writeResults(`e2e ${basename(module.moduleId, '.test.ts')}`, [
        `${tests.length - failed} passed, ${failed} failed.`,
        '',
        '| test | ended | s |',
        '| --- | --- | --- |',
        ...tests.map(row),
        ...(said.length > 0 ? ['', '```', ...said, '```'] : []),
      ]);
    }
  }
}

const row = (test: TestCase) =>
  `| ${test.fullName} | ${test.result().state} | ${((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1)} |`;

export default ResultsReporter;

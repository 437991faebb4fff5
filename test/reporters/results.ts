import { basename } from 'node:path';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { writeSuiteResult } from '../../bench/results.ts';

/** Keeps one row per long suite in docs/results.md: how many tests passed, how long they took, and the numbers they printed. */
class ResultsReporter implements Reporter {
  readonly #printed = new Map<string, string[]>();

  onUserConsoleLog({ content, taskId = '' }: UserConsoleLog): void {
    // The first line contains the number; other lines are details for the terminal.
    const [line = ''] = content.trim().split('\n');
    this.#printed.set(taskId, [...(this.#printed.get(taskId) ?? []), line.replace(/:$/, '')]);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      const suite = basename(module.moduleId, '.test.ts');
      const all = [...module.children.allTests()];
      const tests = all.filter((test) => test.result().state !== 'skipped');
      // The row of an earlier run would claim that the skipped suite passes.
      if (tests.length === 0 && all.length > 0) this.#writeSkipped(suite, all);
      if (tests.length === 0) continue;
      // Matrix configurations can run one at a time, so each has its own row.
      if (suite.endsWith('matrix')) for (const test of tests) this.#write(`${suite}: ${titleOf(test)}`, [test]);
      else this.#write(suite, tests);
    }
  }

  #writeSkipped(suite: string, tests: readonly TestCase[]): void {
    const reasons = new Set(tests.map((test) => test.meta().skipReason ?? 'no reason given'));
    const numbers = `skipped: ${[...reasons].join('; ')}`;
    writeSuiteResult({ suite, passed: 0, failed: 0, seconds: 0, numbers });
  }

  #write(suite: string, tests: readonly TestCase[]): void {
    const failed = tests.filter((test) => test.result().state === 'failed').length;
    const numbers = [...this.#printed].flatMap(([id, lines]) => (tests.some((test) => test.id === id) ? lines : []));
    const ms = tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0);
    writeSuiteResult({ suite, passed: tests.length - failed, failed, seconds: ms / 1000, numbers: numbers.join('; ') });
  }
}

/** The title of the describe block of a test, or of the test itself. */
function titleOf({ name, parent }: TestCase): string {
  return parent.type === 'suite' ? parent.name : name;
}

export default ResultsReporter;

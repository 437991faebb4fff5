import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { writeResults } from '../../bench/results.ts';

/** Writes what the long suites saw to docs/results.md: each test, how it ended, how long it took, and what it printed. */
class ResultsReporter implements Reporter {
  readonly #said: string[] = [];

  onUserConsoleLog({ content }: { readonly content: string }): void {
    this.#said.push(content.trim());
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failed = tests.filter((test) => test.result().state === 'failed').length;
    writeResults('e2e', [
      `${tests.length - failed} passed, ${failed} failed.`,
      '',
      '| test | ended | s |',
      '| --- | --- | --- |',
      ...tests.map(row),
      ...(this.#said.length > 0 ? ['', '```', ...this.#said, '```'] : []),
    ]);
  }
}

const row = (test: TestCase) =>
  `| ${test.fullName} | ${test.result().state} | ${((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1)} |`;

export default ResultsReporter;

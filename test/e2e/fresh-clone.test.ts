import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-clone-'));
const clone = join(folder, 'kubexm');
const quiet = { encoding: 'utf8', stdio: 'pipe' } as const;
const seconds = (from: number) => ((Date.now() - from) / 1000).toFixed(1);

beforeAll(() => execFileSync('git', ['clone', '--quiet', '.', clone]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('bin/kubexm works in a fresh clone, even if called twice in parallel', () => {
  const start = Date.now();
  const both = `'${clone}/bin/kubexm' version & '${clone}/bin/kubexm' version; wait`;
  expect(execFileSync('sh', ['-c', both], quiet)).toMatch(/^(kubexm \d+\.\d+\.\d+\n){2}$/);
  console.log(`first use: ${seconds(start)} s`);
});

test('make demo works in a fresh clone and removes its lab', () => {
  const start = Date.now();
  const output = execFileSync('make', ['demo'], { ...quiet, cwd: clone });
  console.log(`make demo: ${seconds(start)} s`);
  expect(output).toMatch(/is valid\n\n {2}Cluster {5}demo\n {2}Hosts {7}3 /);
  expect(output).toContain('node1  running');
  for (const node of ['node1', 'node2', 'node3']) expect(output).toMatch(new RegExp(`^${node} +Ready +`, 'm'));
  expect(output).toMatch(/Done in \d+ s\./);
  expect(execFileSync(`${clone}/bin/kubexm`, ['lab', 'status', '-o', 'json'], quiet)).not.toContain('"demo"');
});

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { historyLimits, pruneRuns } from '../../../../src/runtime/history/prune-runs.ts';
import { listRuns, newRunId, runPaths, writeRunInfo } from '../../../../src/state/runs.ts';

let workdir: string;
beforeEach(() => {
  workdir = mkdtempSync(join(tmpdir(), 'kubexm-prune-'));
});
afterEach(() => rmSync(workdir, { recursive: true }));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** A run that started some days ago. */
async function run(days: number, command = 'create cluster', selection = ''): Promise<string> {
  const started = daysAgo(days);
  const id = newRunId(started);
  const paths = runPaths(workdir, 'prod', id);
  mkdirSync(paths.folder, { recursive: true });
  const pipeline = command.replace(' ', '-');
  await writeRunInfo(paths, {
    id,
    cluster: 'prod',
    pipeline,
    command,
    selection,
    line: 'x',
    owner: 'ada@desk',
    pid: 1,
    version: '1',
    started: started.toISOString(),
    hosts: {},
    goOn: 'x',
  });
  return id;
}

const prune = async (limits: { runs: number; days: number }) => {
  const removed: string[] = [];
  const events = { remove: (runs: readonly string[]) => void removed.push(...runs) };
  await pruneRuns({ workdir, cluster: 'prod', limits, events });
  return removed;
};

describe('pruning', () => {
  it('keeps the newest runs, and removes the others with their events', async () => {
    const runs = [await run(5), await run(4), await run(3), await run(2), await run(1)];
    expect(await prune({ runs: 2, days: 365 })).toEqual(runs.slice(0, 3).toReversed());
    expect(await listRuns(workdir, 'prod')).toEqual(runs.slice(3).toReversed());
  });

  it('removes runs that are too old', async () => {
    const [old] = [await run(20), await run(5), await run(1)];
    expect(await prune({ runs: 100, days: 10 })).toEqual([old]);
    expect(existsSync(runPaths(workdir, 'prod', old).folder)).toBe(false);
  });

  it('keeps the newest run of each command and selection, because it may be resumed', async () => {
    const old = await run(300, 'create cluster');
    const upgrade = await run(200, 'create cluster', '--nodes node4');
    await run(100, 'delete cluster');
    for (let days = 9; days >= 1; days--) await run(days, 'run command');
    await prune({ runs: 1, days: 1 });
    const left = await listRuns(workdir, 'prod');
    expect(left).toHaveLength(4);
    expect(left).toContain(old);
    expect(left).toContain(upgrade);
  });

  it('removes nothing within the limits', async () => {
    await run(2);
    await run(1);
    expect(await prune({ runs: 2, days: 30 })).toEqual([]);
  });
});

describe('the limits', () => {
  it('are set by environment variables', () => {
    expect(historyLimits({})).toEqual({ runs: 100, days: 365 });
    expect(historyLimits({ KUBEXM_KEEP_RUNS: '5', KUBEXM_KEEP_DAYS: '30' })).toEqual({ runs: 5, days: 30 });
  });

  it.each(['0', '-1', 'all', '1.5'])('must be whole numbers of at least 1, not %s', (text) => {
    expect(() => historyLimits({ KUBEXM_KEEP_RUNS: text })).toThrow('KUBEXM_KEEP_RUNS must be a whole number');
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skipUnless } from '../skip-unless.ts';

const git = (...args: readonly string[]) => spawnSync('git', args, { encoding: 'utf8' });
const hasHistory =
  git('rev-parse', '--is-shallow-repository').stdout.trim() === 'false' && git('rev-parse', 'HEAD').status === 0;

describe('docs/results.md', skipUnless(hasHistory, 'this is not a complete clone'), () => {
  const text = readFileSync('docs/results.md', 'utf8');
  const named = [...text.matchAll(/\| ([0-9a-f]{7,40}) \| \d{4}-|\b(?:Commit|against) ([0-9a-f]{7,40})\b/g)].map(
    (match) => match[1] ?? match[2]!,
  );

  it('names only commits of this history', () => {
    const history = execFileSync('git', ['rev-list', 'HEAD'], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
    const isKnown = (commit: string) => history.some((each) => each.startsWith(commit));
    expect(named).not.toEqual([]);
    expect(named.filter((commit) => !isKnown(commit))).toEqual([]);
  });
});

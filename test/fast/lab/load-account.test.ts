import { describe, expect, it } from 'vitest';
import { accountRequests, clientText, lostWrites } from '../../lab/support/load-account.ts';

const at = (...times: readonly number[]) => times.map((endedAt) => ({ endedAt }));

describe('the account of a load client', () => {
  it('counts requests and failures by reason', () => {
    const requests = [...at(100, 200), { endedAt: 250, error: 'timeout' }, { endedAt: 260, error: 'timeout' }];
    const report = accountRequests([...requests, { endedAt: 270, error: 'status 503' }], { from: 0, to: 300 });
    expect(report).toMatchObject({ requests: 5, failures: 3 });
    expect(clientText(report)).toBe('5 requests, 3 failed (2 timeout, 1 status 503), longest gap 0.1 s at 0 s');
  });

  it('measures gaps between successes in the order in which they ended', () => {
    expect(accountRequests(at(3000, 500, 1000), { from: 0, to: 3100 })).toMatchObject({
      longestGapSeconds: 2,
      gapAtSeconds: 1,
    });
  });

  it('does not let failures end a gap', () => {
    const requests = [...at(1000, 5000), { endedAt: 3000, error: 'timeout' }];
    expect(accountRequests(requests, { from: 500, to: 5100 }).longestGapSeconds).toBe(4);
  });

  it('counts the time before the first success and after the last one', () => {
    expect(accountRequests(at(7000), { from: 0, to: 7500 }).longestGapSeconds).toBe(7);
    expect(accountRequests(at(100), { from: 0, to: 9100 }).longestGapSeconds).toBe(9);
    expect(accountRequests([], { from: 0, to: 4000 }).longestGapSeconds).toBe(4);
  });

  it('reports acknowledged writes that are missing or differ, and ignores objects of unacknowledged writes', () => {
    const acknowledged = new Map(Object.entries({ w1: 'a', w2: 'b', w3: 'c' }));
    const stored = new Map(Object.entries({ w1: 'a', w3: 'x', w9: 'z' }));
    expect(lostWrites(acknowledged, stored)).toEqual(['w2', 'w3']);
    expect(lostWrites(new Map(), stored)).toEqual([]);
  });
});

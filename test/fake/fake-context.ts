import { createCache } from '../../src/cache/cache.ts';
import type { Host } from '../../src/common/host.ts';
import type { StepContext } from '../../src/step/contract/step.ts';
import type { FakeHost } from './fake-host.ts';
import { fakeFacts, fakeRunner } from './fake-runner.ts';
import { hostsOf } from './hosts-of.ts';

/** What a step of a host in memory is called with; what a test has of its own comes over it. */
export const fakeContext = (host: Host, fake: FakeHost, own: Partial<StepContext> = {}): StepContext => ({
  run: 'test',
  host,
  hosts: hostsOf([host]),
  facts: fakeFacts(host.name),
  runner: fakeRunner(fake, own.signal),
  on: () => fakeRunner(fake, own.signal),
  cache: createCache(),
  keepDir: '/keep',
  originDir: '/before',
  stagingDir: '/staging',
  say: () => {},
  signal: new AbortController().signal,
  ...own,
});

import { createCache } from '../../src/cache/cache.ts';
import type { Host, Hosts } from '../../src/common/host.ts';
import { openKubernetesApi } from '../../src/kubernetes-api/api.ts';
import type { StepContext } from '../../src/step/contract/part.ts';
import type { FakeHost } from './fake-host.ts';
import { fakeFacts, fakeRunner } from './fake-runner.ts';

/** The context of a step on a fake host, with the fields in `overrides` replaced. */
export const fakeContext = (host: Host, fake: FakeHost, overrides: Partial<StepContext> = {}): StepContext => ({
  run: 'test',
  host,
  hosts: hostsOf([host]),
  facts: fakeFacts(host.name),
  runner: fakeRunner(fake, overrides.signal),
  api: NO_API,
  on: () => fakeRunner(fake, overrides.signal),
  cache: createCache(),
  keepDir: '/keep',
  originDir: '/before',
  stagingDir: '/staging',
  say: () => {},
  signal: new AbortController().signal,
  ...overrides,
});

export const hostsOf = (all: readonly Host[]): Hosts => ({
  all,
  withRole: (role) => all.filter(({ roles }) => roles.includes(role)),
});

/** The API of a cluster without masters. */
export const NO_API = openKubernetesApi([]).bind();

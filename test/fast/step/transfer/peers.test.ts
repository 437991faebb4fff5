import { expect, it } from 'vitest';
import { createCache } from '../../../../src/cache/cache.ts';
import { fetchFromPeer, isOffered, offer, receiveAndOffer } from '../../../../src/step/transfer/fan-out.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, no, ok } from '../../../fake/fake-host.ts';
import { fakeRunner } from '../../../fake/fake-runner.ts';
import { hostNamed } from '../../../fake/fake-world.ts';

const file = { path: '/staging/file', size: 5_000_000, sha256: 'f'.repeat(64) };

/** Hosts that share a file. Those in `broken` can neither serve nor download it. */
function hosts(names: readonly string[], broken: readonly string[]) {
  const cache = createCache();
  const served: string[] = [];
  const fakes = new Map(
    names.map((name) => {
      const fake = fakeHost(name);
      const answer = () => (broken.includes(name) ? no('timed out') : ok());
      fake.answer(/^for p in perl/, () => (served.push(name), answer()));
      fake.answer(/^umask 077; t=\S+\.peer/, answer);
      return [name, fake];
    }),
  );
  const context = (name: string) =>
    fakeContext(hostNamed(name), fakes.get(name)!, { cache, on: (host) => fakeRunner(fakes.get(host.name)!) });
  return { context, served };
}

it('a host that fails does not end transfers between other hosts', async () => {
  const { context, served } = hosts(['bad', 'good', 'a', 'b', 'c'], ['bad']);
  offer(context('bad'), file);
  offer(context('good'), file);
  expect(await fetchFromPeer(context('a'), file)).toBe(false);
  for (const name of ['a', 'b', 'c']) expect(await fetchFromPeer(context(name), file)).toBe(true);
  expect(served).toEqual(['bad', 'good', 'good', 'good']);
});

it('a host that cannot download does not exclude the hosts that serve it', async () => {
  const { context } = hosts(['one', 'two', 'bad', 'other'], ['bad']);
  offer(context('one'), file);
  offer(context('two'), file);
  expect(await fetchFromPeer(context('bad'), file)).toBe(false);
  expect(await fetchFromPeer(context('bad'), file)).toBe(false);
  expect(isOffered(context('bad'), file)).toBe(false);
  expect(await fetchFromPeer(context('other'), file)).toBe(true);
});

it('hosts that cannot connect to each other at all stop trying', async () => {
  const names = ['source', 'a', 'b', 'c', 'd'];
  const { context } = hosts(names, names);
  for (const name of names) offer(context(name), file);
  for (const name of ['a', 'b', 'c']) expect(await fetchFromPeer(context(name), file)).toBe(false);
  expect(isOffered(context('d'), file)).toBe(false);
});

it('a file passes from host to host while it arrives, and only a few hosts far', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `node${at}`);
  const { context, served } = hosts(names, []);
  const [first = '', ...others] = names;
  await receiveAndOffer(context(first), file, 0, async () => {
    expect(await Promise.all(others.map((name) => fetchFromPeer(context(name), file)))).toEqual(others.map(() => true));
  });
  expect(served.slice(0, 8)).toEqual(names.slice(0, 8));
  const times = new Map(names.map((name) => [name, served.filter((each) => each === name).length]));
  expect(Math.max(...times.values())).toBe(2);
});

it('hosts that get a file from a host that does not receive it stop at once, and blame nobody', async () => {
  const { context } = hosts(['a', 'b', 'c'], []);
  const received = receiveAndOffer(context('a'), file, 0, () => Promise.reject(new Error('disk full')));
  await expect(received).rejects.toThrow('disk full');
  expect(isOffered(context('b'), file)).toBe(false);
  offer(context('c'), file);
  expect(await fetchFromPeer(context('b'), file)).toBe(true);
});

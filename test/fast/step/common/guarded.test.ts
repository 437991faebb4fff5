import { expect, it } from 'vitest';
import { fail } from '../../../../src/common/errors/errors.ts';
import { sh } from '../../../../src/runner/command.ts';
import { guarded } from '../../../../src/step/common/guarded.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';
import { fakeFile } from '../../../fake/fake-step.ts';

const host = { name: 'node1', address: '127.0.0.1', roles: [] };
const firewall = guarded(fakeFile('/rules', 'deny all'), {
  name: 'firewall',
  paths: ['/rules'],
  apply: sh`nft -f /rules`,
});

/** What happened on the host, in order; `connect` decides whether a new connection is possible. */
async function runGuarded(connect: () => Promise<void>) {
  const fake = fakeHost('node1');
  const events: string[] = [];
  fake.answer(/^umask 077\nif \[ ! -e \/before\/guard-firewall \]/, () => (events.push('timer set'), ok()));
  fake.answer(/^cat > \/rules$/, () => (events.push('rules changed'), ok()));
  fake.answer(/rm -rf -- \/before\/guard-firewall\.off$/, () => (events.push('timer removed'), ok()));
  const checkNewConnection = () => {
    events.push('connected again');
    return connect();
  };
  const run = firewall.run(fakeContext(host, Object.assign(fake, { checkNewConnection })));
  return { events, error: await run.catch((error: unknown) => error) };
}

it('removes the timer only after a new connection succeeded', async () => {
  const { events, error } = await runGuarded(() => Promise.resolve());
  expect(error).toBeUndefined();
  expect(events).toEqual(['timer set', 'rules changed', 'connected again', 'timer removed']);
});

it('keeps the timer if the host cannot be reached any more', async () => {
  const { events, error } = await runGuarded(() =>
    Promise.reject(fail('CONNECTION_LOST', { host: 'node1', doing: 'a check', reason: 'Keepalive timeout' })),
  );
  expect(error).toMatchObject({ code: 'HOST_CUT_OFF' });
  expect(events).toEqual(['timer set', 'rules changed', 'connected again']);
});

import { expect, it } from 'vitest';
import type { Host } from '../../../../src/common/host.ts';
import { applied } from '../../../../src/step/kubernetes-object/applied.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, no, ok } from '../../../fake/fake-host.ts';

const master: Host = { name: 'node1', address: '10.0.0.1', roles: ['master'] };
const object = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system' },
});
const part = applied({ id: 'trial', objects: () => Promise.resolve([object('one'), object('two')]) });

const masterWith = (isReady: boolean, existing: readonly string[]) => {
  const fake = fakeHost(master.name);
  fake.answer(/get --raw \/readyz/, () => (isReady ? ok('ok') : no()));
  fake.answer(/ get -f - /, () =>
    isReady ? ok(existing.map((name) => `ConfigMap\tkube-system\t${name}\t0123\t[]\n`).join('')) : no('refused'),
  );
  return fakeContext(master, fake);
};

it('objects are not applied if the API server does not respond: existing ones would look new, and undo deletes new ones', async () => {
  await expect(part.remember!(masterWith(false, ['one', 'two']))).rejects.toMatchObject({
    code: 'CONTROL_PLANE_UNHEALTHY',
  });
  expect(await part.remember!(masterWith(true, []))).toEqual({
    made: ['ConfigMap kube-system/one', 'ConfigMap kube-system/two'],
  });
});

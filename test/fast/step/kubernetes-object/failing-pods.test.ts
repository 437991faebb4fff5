import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KubexmError } from '../../../../src/common/errors/errors.ts';
import type { Host } from '../../../../src/common/host.ts';
import { watchFailures } from '../../../../src/step/kubernetes-object/failing-pods.ts';
import { parseNotReadyPods } from '../../../../src/step/kubernetes-object/not-ready-pods.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

const host: Host = { name: 'node1', address: '127.0.0.1', roles: ['master'] };
const pod = (name: string, owner: string) => `pod\tkube-system\t${name}\tnode2\t${owner}\n`;
const container = (state: string, restarts: number, message = '""') =>
  `container\tnode-cache\t${state}\t${restarts}\t${message}\n`;
const workloads = [
  { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'dns' } },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
];
const CRASHING = `${pod('dns-1', 'DaemonSet\tdns')}${container('CrashLoopBackOff', 3)}`;

/** Polls once per entry, 30 s apart, and returns the error with the number of polls before it. */
async function polls(outputs: readonly string[], { timedOut = false, failedBefore = false } = {}) {
  const fake = fakeHost('node1');
  let output = '';
  fake.answer(/get pods -o/, () => ok(output));
  fake.answer(/ logs /, () => ok('starting\ncannot bind 169.254.25.10\n'));
  const watch = watchFailures({ name: 'dns', workloads, namespace: 'kube-system' });
  if (!failedBefore) await watch(fakeContext(host, fake), { timedOut: false });
  vi.setSystemTime(Date.now() + 30_000);
  for (const [at, text] of outputs.entries()) {
    output = text;
    try {
      await watch(fakeContext(host, fake), { timedOut });
    } catch (error) {
      return { at, text: error instanceof KubexmError ? error.report.message : String(error) };
    }
    vi.setSystemTime(Date.now() + 30_000);
  }
  return undefined;
}

const times = (count: number, text: string) => Array.from({ length: count }, () => text);

describe('waiting for a rollout', () => {
  it('ends after a minute of crashes with the last output of the container', async () => {
    const result = await polls(times(10, CRASHING));
    expect(result).toMatchObject({ at: 2 });
    expect(result?.text).toBe(
      'Container node-cache of Pod kube-system/dns-1 is in state CrashLoopBackOff after 3 restarts. Its last output:\nstarting\ncannot bind 169.254.25.10',
    );
  });

  it.each(['ImagePullBackOff', 'ErrImagePull', 'CreateContainerError', 'InvalidImageName'])(
    'ends after a minute of %s with the reason of the kubelet',
    async (state) => {
      const text = `${pod('web-7d9f-abc', 'ReplicaSet\tweb-7d9f')}${container(state, 0, String.raw`"manifest \"v9\" unknown"`)}`;
      const result = await polls(times(10, text));
      expect(result).toMatchObject({ at: 2 });
      expect(result?.text).toContain(`is in state ${state}. Its last output:\nmanifest "v9" unknown`);
    },
  );

  it('goes on while a container has crashed only a few times', async () => {
    expect(await polls(times(10, CRASHING.replace('\t3\t', '\t2\t')))).toBeUndefined();
  });

  it('goes on while another Pod is still being created, because others may depend on it', async () => {
    const creating = `${pod('web-7d9f-abc', 'ReplicaSet\tweb-7d9f')}${container('ContainerCreating', 0)}`;
    expect(await polls(times(10, CRASHING + creating))).toBeUndefined();
    expect(await polls(times(10, CRASHING + pod('web-7d9f-abc', 'ReplicaSet\tweb-7d9f')))).toBeUndefined();
  });

  it('ends although a container runs between two crashes', async () => {
    const running = `${pod('dns-2', 'DaemonSet\tdns')}${container('Running', 4)}`;
    expect(await polls(times(10, CRASHING + running))).toMatchObject({ at: 2 });
    expect(await polls(times(10, running))).toBeUndefined();
  });

  it('gives a Pod that failed before the time until the kubelet tries again', async () => {
    expect(await polls(times(20, CRASHING), { failedBefore: true })).toMatchObject({ at: 12 });
    const again = CRASHING.replace('\t3\t', '\t4\t');
    expect(await polls([CRASHING, ...times(20, again)], { failedBefore: true })).toMatchObject({ at: 2 });
    expect(await polls([...times(10, CRASHING), '', ''], { failedBefore: true })).toBeUndefined();
  });

  it('ignores Pods of other workloads', async () => {
    const others = ['DaemonSet\tother', 'ReplicaSet\tweb-extra-7d9f', 'Job\tdns', ''].map(
      (owner, at) => `${pod(`other-${at}`, owner)}${container('CrashLoopBackOff', 9)}`,
    );
    expect(await polls(times(10, others.join('')))).toBeUndefined();
  });

  it('names a failing container when the time is over, however often it crashed', async () => {
    const creating = `${pod('web-7d9f-abc', 'ReplicaSet\tweb-7d9f')}${container('ContainerCreating', 0)}`;
    expect(await polls([CRASHING + creating], { timedOut: true })).toMatchObject({ at: 0 });
    expect(await polls([creating], { timedOut: true })).toBeUndefined();
  });
});

it('Pods without an owner, a node or containers are parsed', () => {
  expect(parseNotReadyPods('pod\tdefault\tbare\t\n\n')).toEqual([
    { namespace: 'default', name: 'bare', node: '', owner: { kind: '', name: '' }, containers: [] },
  ]);
});

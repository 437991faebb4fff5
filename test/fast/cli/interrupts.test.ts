import { expect, it } from 'vitest';
import { abortOnInterrupt, listenForInterrupts } from '../../../src/cli/interrupts.ts';

const signal = (name: NodeJS.Signals) => process.emit(name, name);

it('Ctrl-C lets running steps finish, a second one stops them', () => {
  const notes: string[] = [];
  using interrupts = listenForInterrupts((text) => notes.push(text));
  const { stop } = interrupts;
  signal('SIGINT');
  expect([stop.soft.aborted, stop.hard.aborted]).toEqual([true, false]);
  signal('SIGTERM');
  expect(stop.hard.aborted).toBe(true);
  expect(notes).toEqual([expect.stringContaining('Waiting for the running steps'), 'Stopping the running steps.']);
});

it('a closed terminal lets running steps finish, however often it is signalled', () => {
  using interrupts = listenForInterrupts(() => {});
  const { stop } = interrupts;
  expect(signal('SIGHUP')).toBe(true);
  signal('SIGHUP');
  signal('SIGHUP');
  expect([stop.soft.aborted, stop.hard.aborted]).toEqual([true, false]);
});

it('a closed terminal aborts commands that change nothing', async () => {
  await abortOnInterrupt(async (abort) => {
    signal('SIGHUP');
    expect(abort.aborted).toBe(true);
  });
});

it('no listener stays behind', async () => {
  const before = process.listenerCount('SIGHUP');
  {
    using _ = listenForInterrupts(() => {});
    expect(process.listenerCount('SIGHUP')).toBe(before + 1);
  }
  await abortOnInterrupt(() => Promise.resolve());
  expect(process.listenerCount('SIGHUP')).toBe(before);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { hasBlock, managedBlock } from '../../../../src/step/common/managed-block.ts';
import { withBlock } from '../../../../src/step/common/text/block.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost } from '../../../fake/fake-host.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';
import { home } from '../../cli/kubexm.ts';
import { connectorIn, runLocally } from '../../connector/local-shell.ts';

const block = { marker: 'a.b', comment: '#', content: '10.0.0.1 node1\n10.0.0.2 node2\n' };
const text = withBlock('127.0.0.1 localhost\n', { ...block, first: true });

it.each([
  ['the block', text],
  ['the block and nothing else', withBlock('', block)],
  ['no block', '127.0.0.1 localhost\n'],
  ['a longer block', withBlock(text, { ...block, content: `${block.content}10.0.0.3 node3\n` })],
  ['an empty block', withBlock(text, { ...block, content: '' })],
  ['the block of another cluster', text.replaceAll('a.b', 'axb')],
  ['the block twice', text + withBlock('', block)],
  ['a block without an end', text.replace(/^# END.*\n/m, '')],
  ['no newline at the end', text.replace(/\n$/, '')],
  ['nothing', ''],
])('compares a block on the host like one that was read: a file with %s', async (_, content) => {
  const path = join(home(), 'hosts');
  writeFileSync(path, content);
  const { exit } = await runLocally(hasBlock({ ...block, path }).text);
  // A second block needs a closer look.
  const isUnchanged = withBlock(content, block) === content && content.split('BEGIN').length === 2;
  expect(exit === 0).toBe(isUnchanged);
});

it('does not read a file whose block is up to date', async () => {
  const folder = home();
  const path = join(folder, 'hosts');
  const others = '# line\n'.repeat(10_000);
  writeFileSync(path, withBlock(others, block));
  const connector = connectorIn(folder);
  let received = 0;
  const query: typeof connector.query = async (...args) => {
    const result = await connector.query(...args);
    received += result.stdout.length;
    return result;
  };
  const runner = createRunner({ ...connector, query }, fakeFacts('node1'));
  const ctx = fakeContext({ name: 'node1', address: '', roles: [] }, fakeHost('node1'), { runner });
  const part = managedBlock({ ...block, path, isUnchanged: hasBlock({ ...block, path }) });
  expect(await part.precheck(ctx)).toEqual({ done: true });
  expect(received).toBe(0);
  writeFileSync(path, others);
  expect(await part.precheck(ctx)).toMatchObject({ done: false, because: 'block differs' });
});

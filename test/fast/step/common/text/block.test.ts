import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockIn, withBlock } from '../../../../../src/step/common/text/block.ts';

const block = { marker: 'hosts', comment: '#', content: 'a\nb\n' };
const whole = '# BEGIN kubexm hosts\na\nb\n# END kubexm hosts\n';

it('appends or inserts a block, or replaces it in place', () => {
  expect(withBlock('', block)).toBe(whole);
  expect(withBlock('x\ny', block)).toBe(`x\ny\n${whole}`);
  expect(withBlock('x\ny\n', { ...block, first: true })).toBe(`${whole}x\ny\n`);
  expect(withBlock(`x\n${whole}y\n`, { ...block, content: 'c' })).toBe(
    'x\n# BEGIN kubexm hosts\nc\n# END kubexm hosts\ny\n',
  );
});

it('leaves blocks with another marker unchanged', () => {
  const other = withBlock('', { ...block, marker: 'other' });
  expect(withBlock(other, block)).toBe(other + whole);
});

it('repairs a block without end marker', () => {
  expect(withBlock('x\n# BEGIN kubexm hosts\na\n', block)).toBe(`x\n${whole}a\n`);
});

it('is idempotent, and a block can be read and removed again', () => {
  const line = fc.stringMatching(/^[a-z =#]{0,8}$/);
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (lines, content) => {
      const text = lines.map((one) => `${one}\n`).join('');
      const filled = { ...block, content: content.map((one) => `${one}\n`).join('') };
      const once = withBlock(text, filled);
      expect(withBlock(once, filled)).toBe(once);
      expect(blockIn(once, filled)).toBe(filled.content);
      expect(withBlock(once, { ...filled, content: undefined })).toBe(text);
    }),
  );
});

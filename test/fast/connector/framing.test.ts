import fc from 'fast-check';
import { expect, it } from 'vitest';
import { skipUntilMarker, frameScanner, newMarker } from '../../../src/connector/framing.ts';

it('separates output from frames, however it is split into chunks', () => {
  const marker = newMarker();
  const part = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
  const nearly = fc.constant(Buffer.from(marker.slice(0, 20)));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(part, nearly), { maxLength: 6 }),
      fc.array(fc.nat(40), { maxLength: 20 }),
      (outputs, cuts) => {
        const whole = Buffer.concat(outputs.flatMap((out, index) => [out, Buffer.from(`${marker} exit ${index}\n`)]));
        const scan = frameScanner(marker);
        const data: Buffer[] = [];
        const frames: string[] = [];
        for (let at = 0, cut = 0; at < whole.length; cut++) {
          const size = (cuts[cut % Math.max(cuts.length, 1)] ?? 7) + 1;
          const scanned = scan(whole.subarray(at, at + size));
          data.push(scanned.data);
          frames.push(...scanned.frames.map(({ text }) => text));
          at += size;
        }
        expect(Buffer.concat(data)).toEqual(Buffer.concat(outputs));
        expect(frames).toEqual(outputs.map((_, index) => `exit ${index}`));
      },
    ),
  );
});

it('holds back only what may become a frame', () => {
  const scan = frameScanner('abcabd');
  expect(scan(Buffer.from('a line\n')).data.toString()).toBe('a line\n');
  expect(scan(Buffer.from('abcab')).data.toString()).toBe('');
  expect(scan(Buffer.from('c')).data.toString()).toBe('abc');
  expect(scan(Buffer.from('abd exit 1\nlater'))).toEqual({
    data: Buffer.from('later'),
    frames: [{ at: 0, text: 'exit 1' }],
  });
});

it('skips and reports what a login shell prints before the script', async () => {
  const reported: string[] = [];
  const stream = skipUntilMarker(
    'mark',
    (text) => reported.push(text),
    () => reported.push('!'),
  );
  for (const piece of ['Welcome\nma', 'rk', '\nout', 'put mark\n']) stream.write(piece);
  stream.end();
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('output mark\n');
  expect(reported.at(-1)).toBe('!');
  expect(reported[0]).toContain('Welcome');
});

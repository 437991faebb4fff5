import { expect, test } from 'vitest';
import { mirrorIn } from '../../../../src/lab/image/apt-mirror.ts';

test('reads one-line sources', () => {
  const sources = `# deb http://old.example/debian bookworm main
deb [signed-by=/k.gpg] http://mirror.example/debian/ bookworm main
deb https://mirror.example/debian-security bookworm-security main`;
  expect(mirrorIn(sources)).toEqual({
    debian: 'http://mirror.example/debian',
    security: 'https://mirror.example/debian-security',
  });
});

test('reads deb822 sources', () => {
  expect(mirrorIn('Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm')).toEqual({
    debian: 'http://mirror.example/debian',
    security: 'http://deb.debian.org/debian-security',
  });
});

test('takes Debian’s own where the sources are of another system', () => {
  expect(mirrorIn('deb http://archive.ubuntu.com/ubuntu noble main').debian).toBe('http://deb.debian.org/debian');
});

import { expect, test } from 'vitest';
import { parseAptSources } from '../../../../src/lab/image/apt-mirror.ts';

test('reads one-line sources', () => {
  const sources = `# deb http://old.example/debian bookworm main
deb [signed-by=/k.gpg] http://mirror.example/debian/ bookworm main
deb https://mirror.example/debian-security bookworm-security main`;
  expect(parseAptSources(sources)).toEqual({
    debian: 'http://mirror.example/debian',
    security: 'https://mirror.example/debian-security',
  });
});

test('reads deb822 sources', () => {
  expect(parseAptSources('Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm')).toEqual({
    debian: 'http://mirror.example/debian',
    security: 'http://deb.debian.org/debian-security',
  });
});

test('falls back to deb.debian.org on other distributions', () => {
  expect(parseAptSources('deb http://archive.ubuntu.com/ubuntu noble main').debian).toBe(
    'http://deb.debian.org/debian',
  );
});

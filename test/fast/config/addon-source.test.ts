import { expect, it } from 'vitest';
import { check, fixture, lines } from './check.ts';

const full = fixture('full.yaml');
const sourceOf = (addon: string) => {
  const checked = check(full, [`addons=[${addon}]`]);
  return lines(checked).length > 0 ? lines(checked) : checked.file?.spec.addons[0]?.source;
};

it.each([
  ['yaml', './manifests/app.yaml', { path: './manifests/app.yaml' }],
  ['yaml', 'https://example.com/app.yaml', { url: 'https://example.com/app.yaml' }],
  ['helm', 'charts/app', { path: 'charts/app' }],
  ['helm', 'http://example.com/app-1.0.0.tgz', { url: 'http://example.com/app-1.0.0.tgz' }],
  ['helm', 'oci://example.com/app', { url: 'oci://example.com/app' }],
])('accepts a plain path or URL as the source of a %s addon: %s', (type, source, expected) => {
  expect(sourceOf(`{name: app, type: ${type}, source: "${source}"}`)).toEqual(expected);
});

it.each([
  ['5', 'spec.addons[0].source: must be a path, a URL, or {url, path, chart, repo, version}, got 5'],
  ['""', 'spec.addons[0].source: must be a path, a URL, or {url, path, chart, repo, version}, got ""'],
  [
    '{pth: a}',
    'spec.addons[0].source.pth: is not a known key, allowed: url, path, chart, repo, version. Did you mean path?',
  ],
])('explains the source %s', (source, line) => {
  expect(sourceOf(`{name: app, type: helm, source: ${source}}`)).toEqual([`-e addons ${line}`]);
});

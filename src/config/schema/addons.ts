import { z } from 'zod';
import { choice, dnsLabel, flag, free, text } from './fields.ts';

const sourceFields = z.strictObject({
  url: text().optional().describe('URL of the manifest or chart.'),
  path: text().optional().describe('Path of a manifest, folder or chart on this machine.'),
  chart: text().optional().describe('Name of the chart in repo.'),
  repo: text().optional().describe('URL of the chart repository.'),
  version: text().optional().describe('Chart version.'),
});

const source = z.union([text().transform(toSource), sourceFields], {
  error: 'must be a path, a URL, or {url, path, chart, repo, version}',
});

function toSource(location: string): z.output<typeof sourceFields> {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location) ? { url: location } : { path: location };
}

const custom = z.strictObject({
  name: dnsLabel().describe('Name of an addon in the catalog, or of your own addon with type and source.'),
  type: choice(['yaml', 'helm']).optional().describe('Type of the source: manifests (yaml) or a Helm chart (helm).'),
  namespace: dnsLabel().optional().describe('Namespace in which to install the addon.'),
  source: source
    .optional()
    .describe('Path or URL of the manifest or chart, or {url}, {path}, or {chart, repo, version}.'),
  values: free().describe('Helm values.'),
  valuesFile: text().optional().describe('Helm values file on this machine.'),
  wait: flag(true).describe('Wait until the addon is ready.'),
});

/** Addons to install: names from the catalog, or your own charts and manifests. */
export const addonsSchema = z
  .array(
    z.union([dnsLabel().transform((name) => custom.parse({ name })), custom], {
      error: 'must be the name of an addon, or {name, type, source}',
    }),
  )
  .default([]);

import { z } from 'zod';
import { choice, dnsLabel, flag, free, text } from './fields.ts';

const source = z.strictObject({
  url: text().optional().describe('Where the manifest or chart is fetched from.'),
  path: text().optional().describe('Manifest, folder or chart on this machine.'),
  chart: text().optional().describe('Name of the chart in repo.'),
  repo: text().optional().describe('Chart repository.'),
  version: text().optional().describe('Version of the chart.'),
});

const custom = z.strictObject({
  name: dnsLabel().describe('Name of the addon; one of the catalog, or your own with type and source.'),
  type: choice(['yaml', 'helm']).optional().describe('What source holds.'),
  namespace: dnsLabel().optional().describe('Namespace to install to.'),
  source: source.optional().describe('Where it comes from: url, path, or chart and repo.'),
  values: free().describe('Values of the chart.'),
  valuesFile: text().optional().describe('File with values, on this machine.'),
  wait: flag(true).describe('Wait until it is ready.'),
});

/** What runs on the cluster from the start: names of the catalog, or charts and manifests of yours. */
export const addonsSchema = z
  .array(
    z.union([dnsLabel().transform((name) => custom.parse({ name })), custom], {
      error: 'must be the name of an addon, or {name, type, source}',
    }),
  )
  .default([]);

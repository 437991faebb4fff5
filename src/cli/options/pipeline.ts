import type { OptionSpec, OptionValues } from '../command.ts';
import { clusterOptions, loginOptions } from './cluster.ts';
import { dryRun } from './dry-run.ts';
import { textOrJson } from './output.ts';

/** Selects hosts in the cluster file. */
export const nodes = {
  type: 'list',
  value: 'HOSTS',
  summary: 'only these hosts: names, globs or role:master (comma-separated or repeated)',
} as const satisfies OptionSpec;

const runOptions = {
  dryRun,
  resume: { type: 'flag', summary: 'resume the last run of this command' },
  maxSetAside: {
    type: 'number',
    value: 'HOSTS',
    min: 0,
    max: 100_000,
    summary: 'abort if more than this many hosts are quarantined (default: no limit)',
  },
  metricsListen: {
    type: 'text',
    value: 'ADDRESS',
    summary: 'serve Prometheus metrics during the run, e.g. on 127.0.0.1:9464',
  },
  metricsFile: {
    type: 'text',
    value: 'FILE',
    summary: 'write metrics to this file when the run ends, for the node_exporter textfile collector',
  },
} as const satisfies Record<string, OptionSpec>;

/** Options for commands that run a pipeline. */
export const pipelineOptions = {
  ...clusterOptions,
  ...loginOptions,
  nodes,
  tags: { type: 'list', value: 'TAGS', summary: 'only these modules, tasks, steps or components' },
  skipTags: { type: 'list', value: 'TAGS', summary: 'skip these modules, tasks, steps or components' },
  noRollback: { type: 'flag', summary: 'do not roll back a failed task' },
  ...runOptions,
  output: textOrJson,
} as const satisfies Record<string, OptionSpec>;

export type PipelineOptionValues = OptionValues<typeof pipelineOptions>;

/** Options for commands that always run the whole pipeline and have no rollback. */
export const wholePipelineOptions = { ...clusterOptions, ...loginOptions, ...runOptions };

/** The pipeline options that these commands do not have. */
export const WHOLE_PIPELINE = { nodes: [], tags: [], skipTags: [], noRollback: true } as const;

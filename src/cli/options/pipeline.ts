import { clusterOptions, loginOptions } from './cluster.ts';
import type { OptionSpec, OptionValues } from '../command.ts';
import { dryRun } from './dry-run.ts';

/** The options of every command that runs a plan on hosts. */
export const runOptions = {
  ...clusterOptions,
  ...loginOptions,
  nodes: {
    type: 'list',
    value: 'HOSTS',
    summary: 'only on these: names, globs or role:master, with commas or repeated',
  },
  tags: { type: 'list', value: 'TAGS', summary: 'only these modules, tasks, steps or components' },
  skipTags: { type: 'list', value: 'TAGS', summary: 'all but these' },
  dryRun,
  resume: { type: 'flag', summary: 'go on with the last run of this command, where it ended' },
  noRollback: { type: 'flag', summary: 'leave what a failed task changed as it is' },
  maxSetAside: {
    type: 'number',
    value: 'HOSTS',
    min: 0,
    max: 100_000,
    summary: 'end the run when more hosts than these cannot be gone on with; any number if not given',
  },
  metricsListen: { type: 'text', value: 'ADDRESS', summary: 'serve Prometheus metrics meanwhile, as 127.0.0.1:9464' },
  metricsFile: { type: 'text', value: 'FILE', summary: 'leave the metrics here at the end, for a textfile collector' },
  output: {
    type: 'choice',
    short: 'o',
    choices: ['text', 'json'],
    default: 'text',
    summary: 'what is printed at the end: words, or JSON on stdout',
  },
} as const satisfies Record<string, OptionSpec>;

/** What these options were set to. */
export type RunOptionValues = OptionValues<typeof runOptions>;

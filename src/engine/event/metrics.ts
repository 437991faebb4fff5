import type { Event, Subscriber } from './event.ts';

/** Metrics about runs in the Prometheus text format. */
export interface Metrics {
  readonly subscriber: Subscriber;
  text(): string;
}

export function createMetrics(): Metrics {
  const pipelines = counter('kubexm_pipeline_total', 'Completed runs, by outcome.');
  const pipelineSeconds = histogram('kubexm_pipeline_duration_seconds', 'Duration of runs.', LONG);
  const stepSeconds = histogram('kubexm_step_duration_seconds', 'Duration of steps on a host.', SHORT);
  const steps = counter('kubexm_steps_total', 'Steps on hosts, by outcome.');
  const retries = counter('kubexm_step_retries_total', 'Retried steps.');
  const inFlight = counter('kubexm_steps_in_flight', 'Running steps.', 'gauge');
  const restarts = counter('kubexm_host_restarts_total', 'Hosts that rebooted during a run.');
  const quarantined = counter('kubexm_hosts_quarantined_total', 'Quarantined hosts.');
  const quarantinedHosts = new Set<string>();
  const started = new Set<string>();

  const subscriber = (event: Event): void => {
    const { pipeline } = event.run;
    switch (event.type) {
      case 'run-started':
      case 'said':
        return;
      case 'run-ended':
        pipelines.add({ pipeline, outcome: event.outcome });
        return pipelineSeconds.observe({ pipeline }, event.durationMs / 1000);
      case 'started':
        started.add(event.node.id);
        return inFlight.add({ pipeline });
      case 'retried':
        return retries.add({ pipeline, step: event.node.step.name });
      case 'restarted':
        return restarts.add({ pipeline });
      case 'skipped':
      case 'done':
      case 'failed':
      case 'quarantined':
      case 'blocked':
      case 'rolled-back':
      case 'rollback-failed':
        return ended(event);
    }
  };
  const ended = (event: NodeEvent) => {
    const { pipeline, id } = event.run;
    const { step, host } = event.node;
    steps.add({ pipeline, outcome: event.type });
    if (started.delete(event.node.id)) inFlight.add({ pipeline }, -1);
    if ('durationMs' in event) stepSeconds.observe({ step: step.name, outcome: event.type }, event.durationMs / 1000);
    if (event.type === 'quarantined' && !quarantinedHosts.has(`${id} ${host.name}`)) {
      quarantinedHosts.add(`${id} ${host.name}`);
      quarantined.add({ pipeline });
    }
  };
  const all = [pipelines, pipelineSeconds, stepSeconds, steps, retries, inFlight, restarts, quarantined];
  return Object.freeze({ subscriber, text: () => all.map((metric) => metric.text()).join('') });
}

type NodeEvent = Extract<Event, { readonly node: unknown }>;

const SHORT = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];
const LONG = [1, 10, 30, 60, 120, 300, 600, 1200, 3600];

type Labels = Readonly<Record<string, string>>;

function counter(name: string, help: string, type: 'counter' | 'gauge' = 'counter') {
  const values = new Map<string, number>();
  const keyOf = keys();
  const add = (labels: Labels, by = 1) => {
    const key = keyOf(labels);
    values.set(key, (values.get(key) ?? 0) + by);
  };
  const text = () =>
    [...heading(name, help, type), ...[...values].map(([labels, value]) => `${name}${labels} ${value}\n`)].join('');
  return { add, text };
}

function histogram(name: string, help: string, bounds: readonly number[]) {
  const series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }>();
  const keyOf = keys();
  const observe = (labels: Labels, value: number) => {
    const key = keyOf(labels);
    const entry = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
    series.set(key, entry);
    for (let index = bounds.length - 1; index >= 0 && value <= bounds[index]!; index--) entry.counts[index]! += 1;
    entry.sum += value;
    entry.count += 1;
  };
  const lines = ({
    labels,
    counts,
    sum,
    count,
  }: {
    labels: Labels;
    counts: readonly number[];
    sum: number;
    count: number;
  }) => [
    ...bounds.map((bound, index) => `${name}_bucket${written({ ...labels, le: String(bound) })} ${counts[index]}\n`),
    `${name}_bucket${written({ ...labels, le: '+Inf' })} ${count}\n`,
    `${name}_sum${written(labels)} ${sum}\n`,
    `${name}_count${written(labels)} ${count}\n`,
  ];
  return {
    observe,
    text: () => [...heading(name, help, 'histogram'), ...[...series.values()].flatMap(lines)].join(''),
  };
}

const heading = (name: string, help: string, type: string) => [`# HELP ${name} ${help}\n`, `# TYPE ${name} ${type}\n`];

/**
 * Formats labels. The result is cached for each combination of values, because a run has thousands of events for each.
 */
function keys(): (labels: Labels) => string {
  const known = new Map<string, string>();
  return (labels) => {
    const values = Object.values(labels).join('\0');
    const key = known.get(values) ?? written(labels);
    known.set(values, key);
    return key;
  };
}

const written = (labels: Labels) =>
  `{${Object.entries(labels)
    .map(
      ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
    )
    .join(',')}}`;

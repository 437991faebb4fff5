import { catalogOf } from '../../../../src/resource/catalog/catalog.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { createClusterWith, type CreateOptions } from '../../../../src/pipeline/cluster/create.ts';
import type { Pipeline } from '../../../../src/pipeline/pipeline.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { blankHost } from './blank-host.ts';
import { factsOf } from './systems.ts';

/** The creation of a cluster without what is checked before, which has plans of its own. */
export function createPipeline(cluster: Cluster, credentials: CreateOptions['assets']['credentials'] = {}): Pipeline {
  const fetch = catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, 'amd64'])));
  const { artifacts } = cluster;
  const assets = { ...fetch, fetch, artifacts, credentials, folder: '/nonexistent', offline: false };
  return createClusterWith({ preflight: 'skip', assets });
}

/** What a module would do to a host with this system: each part, and what it would write. */
export async function changesOn(
  system: string,
  name: string,
  cluster: Cluster,
  module = 'infrastructure',
  pipeline = createPipeline(cluster),
): Promise<string> {
  const hosts = hostsOf(cluster);
  const nodes = nodesOf(plan(pipeline, cluster)).filter(
    ({ host, task }) => host.name === name && task.path.startsWith(`${module}/`),
  );
  const lines = nodes.map(async ({ step, host }) => {
    const facts = factsOf(system, name);
    const runner = createRunner(blankHost(name), facts);
    const rest = { on: () => runner, cache: { get: () => undefined, set() {} }, say() {} };
    const places = {
      keepDir: '/keep',
      originDir: '/before',
      stagingDir: '/staging',
      signal: new AbortController().signal,
    };
    const ctx = { run: 'test', host, hosts, facts, runner, ...rest, ...places };
    const parts = step.parts(ctx).map(async (part) => {
      const finding = await part.precheck(ctx);
      const diff = finding.done ? '' : (finding.diff ?? '');
      return [
        `  ${part.summary}`,
        ...diff
          .split('\n')
          .slice(2)
          .filter(Boolean)
          .map((line) => `    ${line}`),
      ].join('\n');
    });
    return [step.name, ...(await Promise.all(parts))].join('\n');
  });
  return `${(await Promise.all(lines)).join('\n')}\n`;
}

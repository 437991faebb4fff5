import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { createClusterPipeline } from '../../../../src/pipeline/cluster/create.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import type { Assets } from '../../../../src/resource/assets.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { NO_API } from '../../../fake/fake-context.ts';
import { blankHost } from './blank-host.ts';
import { factsOf } from './systems.ts';

/** What a module of `create cluster` does on a host with this operating system: each part, and what it writes. */
export async function changesOn(
  system: string,
  name: string,
  cluster: Cluster,
  module = 'infrastructure',
  credentials: Assets['credentials'] = {},
): Promise<string> {
  const hosts = hostsOf(cluster);
  const assets = { ...fakeAssets(cluster), credentials, offline: false };
  const pipeline = createClusterPipeline({ preflight: 'skip' });
  const nodes = nodesOf(plan(pipeline, cluster, assets)).filter(
    ({ host, task }) => host.name === name && task.path.startsWith(`${module}/`),
  );
  const lines = nodes.map(async ({ step, host }) => {
    const facts = factsOf(system, name);
    const runner = createRunner(blankHost(name), facts);
    const rest = { api: NO_API, on: () => runner, cache: { get: () => undefined, set() {} }, say() {} };
    const paths = {
      keepDir: '/keep',
      originDir: '/before',
      stagingDir: '/staging',
      signal: new AbortController().signal,
    };
    const ctx = { run: 'test', host, hosts, facts, runner, ...rest, ...paths };
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

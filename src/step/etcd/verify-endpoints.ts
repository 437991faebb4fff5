import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { etcdAccess, type EtcdAccess } from '../../template/etcd/access.ts';
import { findingOf } from '../contract/finding.ts';
import { endpointProblem } from './parse-health.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Checks that an external etcd is healthy at each of its endpoints. */
export const verifyEtcdEndpoints = (cluster: Cluster): Step =>
  defineStep({
    name: 'etcd.reach',
    summary: 'Check the health of the external etcd',
    parts: () => {
      const access = etcdAccess(cluster);
      return access ? [healthyEndpoints(access)] : [];
    },
  });

function healthyEndpoints(access: EtcdAccess): GenericStep {
  const findUnhealthy = async ({ runner }: StepContext) => {
    const problems = await Promise.all(
      access.endpoints.map(async (endpoint) => {
        const { stdout, stderr } = await runner.query(getHealth(endpoint, access));
        const problem = endpointProblem(stdout);
        return problem === undefined ? [] : [{ endpoint, reason: stderr.trim() || problem }];
      }),
    );
    return problems.flat();
  };
  return Object.freeze<GenericStep>({
    key: 'check:etcd-endpoints',
    summary: `check ${access.endpoints.join(', ')}`,
    precheck: async (ctx) =>
      findingOf((await findUnhealthy(ctx)).map(({ endpoint, reason }) => `${endpoint}: ${reason}`)),
    async run(ctx) {
      for (let attempt = 1; ; attempt += 1) {
        const [first] = await findUnhealthy(ctx);
        if (first === undefined) return;
        ctx.say(`${first.endpoint}: ${first.reason}`);
        if (attempt === ATTEMPTS) throw fail('ETCD_UNREACHABLE', { host: ctx.host.name, ...first });
        await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
      }
    },
  });
}

const ATTEMPTS = 3;
const PAUSE_MS = 2000;

function getHealth(endpoint: string, { caFile, certFile, keyFile }: EtcdAccess): Command {
  const trust = caFile === '' ? sh`` : sh`--cacert ${caFile}`;
  const credentials = certFile === '' ? sh`` : sh`--cert ${certFile} --key ${keyFile}`;
  const url = `${endpoint.replace(/\/$/, '')}/health`;
  const { text } = sh`[ -n "$(command -v curl)" ] || { echo 'curl is not installed' >&2; exit 1; }
curl -sS -m 10 ${trust} ${credentials} ${url}`;
  return { text, display: `curl ${url}` };
}

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
    summary: 'Ask etcd whether it is healthy',
    parts: () => {
      const access = etcdAccess(cluster);
      return access ? [healthyEndpoints(access)] : [];
    },
  });

function healthyEndpoints(access: EtcdAccess): GenericStep {
  const look = async ({ runner }: StepContext) => {
    const answers = await Promise.all(
      access.endpoints.map(async (endpoint) => {
        const { stdout, stderr } = await runner.query(ask(endpoint, access));
        const sick = endpointProblem(stdout);
        return sick === undefined ? [] : [{ endpoint, reason: stderr.trim() || sick }];
      }),
    );
    return answers.flat();
  };
  return Object.freeze<GenericStep>({
    key: 'check:etcd-endpoints',
    summary: `ask ${access.endpoints.join(', ')}`,
    precheck: async (ctx) => findingOf((await look(ctx)).map(({ endpoint, reason }) => `${endpoint}: ${reason}`)),
    async run(ctx) {
      for (let tries = 1; ; tries += 1) {
        const [first] = await look(ctx);
        if (first === undefined) return;
        ctx.say(`${first.endpoint}: ${first.reason}`);
        if (tries === TRIES) throw fail('ETCD_UNREACHABLE', { host: ctx.host.name, ...first });
        await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
      }
    },
  });
}

const TRIES = 3;
const PAUSE_MS = 2000;

function ask(endpoint: string, { caFile, certFile, keyFile }: EtcdAccess): Command {
  const trust = caFile === '' ? sh`` : sh`--cacert ${caFile}`;
  const own = certFile === '' ? sh`` : sh`--cert ${certFile} --key ${keyFile}`;
  const url = `${endpoint.replace(/\/$/, '')}/health`;
  const { text } = sh`[ -n "$(command -v curl)" ] || { echo 'curl is not installed' >&2; exit 1; }
curl -sS -m 10 ${trust} ${own} ${url}`;
  return { text, display: `curl ${url}` };
}

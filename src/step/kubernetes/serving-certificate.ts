import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh, shellWords } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import {
  isPending,
  KUBELET_SERVING_SIGNER,
  requesterOf,
  requestProblems,
  type ServingRequest,
} from './serving-request.ts';

/** The kubelet has a serving certificate of the cluster CA: its request was checked and approved. */
export const approveServingCertificate = (cluster: Cluster, first: Host): Step =>
  defineStep({
    name: 'kubelet.serving-certificate',
    summary: 'Approve the serving certificate of the kubelet',
    timeoutMs: FOUR_MINUTES,
    parts: () => [hasCertificate(cluster, first)],
  });

const FOUR_MINUTES = 240_000;
const FIRST_MS = 250;
const LAST_MS = 1000;
const CERTIFICATE = '/var/lib/kubelet/pki/kubelet-server-current.pem';

const hasCertificate = (cluster: Cluster, first: Host): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'node:serving-certificate',
    summary: 'approve the serving certificate of the kubelet',
    async precheck({ runner }) {
      return (await runner.stat(CERTIFICATE))
        ? DONE
        : { done: false, because: 'the kubelet has no serving certificate' };
    },
    async run(ctx) {
      const end = Date.now() + FOUR_MINUTES - 10_000;
      for (let pause = FIRST_MS; ; pause = Math.min(pause * 1.5, LAST_MS)) {
        const refused = await decide(ctx.on(first), cluster, ctx.host.name);
        if (await ctx.runner.stat(CERTIFICATE)) return;
        ctx.say('waiting for the kubelet to request a serving certificate');
        if (refused.length > 0 || Date.now() > end)
          throw fail('SERVING_CERTIFICATE', {
            host: ctx.host.name,
            reason: refused.join('; ') || 'the kubelet has not requested one',
          });
        await sleep(pause, undefined, { signal: ctx.signal });
      }
    },
  });

/** Kubelets renew their serving certificates by themselves; the new requests need approval, too. */
export const approveServingRenewals = (cluster: Cluster): Step =>
  defineStep({
    name: 'kubelet.serving-renewals',
    summary: 'Approve renewed serving certificates of kubelets',
    parts: () => [
      Object.freeze<GenericStep>({
        key: 'objects:serving-requests',
        summary: 'approve pending requests for serving certificates',
        async precheck({ runner }) {
          const pending = await approvable(await pendingRequests(runner), cluster);
          return pending.length === 0
            ? DONE
            : { done: false, because: `pending requests of ${pending.map(({ node }) => node).join(', ')}` };
        },
        run: async ({ runner }) => void (await decide(runner, cluster)),
      }),
    ],
  });

/** Approves all pending requests of a node, or of all nodes, that ask for nothing else; returns why others were not. */
async function decide(master: Runner, cluster: Cluster, node?: string): Promise<readonly string[]> {
  const all = (await judged(await pendingRequests(master), cluster)).filter(
    (each) => (node ?? each.node) === each.node,
  );
  const good = all.filter(({ problems }) => problems.length === 0).map(({ name }) => name);
  if (good.length > 0) await master.run(kubectl(sh`certificate approve ${shellWords(good)}`));
  return all.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`));
}

const approvable = async (requests: readonly ServingRequest[], cluster: Cluster) =>
  (await judged(requests, cluster)).filter(({ problems }) => problems.length === 0);

const judged = (requests: readonly ServingRequest[], { hosts }: Cluster) =>
  Promise.all(
    requests.flatMap((request) => {
      const host = requesterOf(request, hosts);
      return host ? [judge(request, host)] : [];
    }),
  );

const judge = async (request: ServingRequest, host: Cluster['hosts'][number]) => ({
  name: request.metadata.name,
  node: host.name,
  problems: await requestProblems(request, host),
});

async function pendingRequests(master: Runner): Promise<readonly ServingRequest[]> {
  const selector = `spec.signerName=${KUBELET_SERVING_SIGNER}`;
  const { exit, stdout } = await master.query(kubectl(sh`get csr --field-selector ${selector} -o json`));
  if (exit !== 0) return [];
  const { items = [] }: { readonly items?: readonly ServingRequest[] } = JSON.parse(stdout);
  return items.filter(isPending);
}

import type { ImageItem } from '../../resource/item.ts';
import type { Json } from '../../common/json.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { coreDns } from '../../template/dns/coredns.ts';
import { customizesCoreDns, corefile } from '../../template/dns/corefile.ts';
import { fieldOf, textOf } from '../../util/json-fields.ts';
import { unifiedDiff } from '../../util/unified-diff.ts';
import { applied } from '../kubernetes-object/applied.ts';
import { DONE, findingOf } from '../contract/finding.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import { APPLIED, checksumOf, type Manifest } from '../kubernetes-object/manifest.ts';
import { rolledOut } from '../kubernetes-object/rolled-out.ts';
import { patchCoreDns, restartCoreDns } from './patch-coredns.ts';
import { spreadCoreDns } from './spread-coredns.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Names are answered as the file asks; runs on a master. Who started CoreDNS before there were nodes wants it spread. */
export const applyCoreDnsConfig = (cluster: Cluster, { spread = false } = {}): Step =>
  defineStep({
    name: 'coredns.settle',
    summary: 'Let CoreDNS answer as the file says',
    timeoutMs: TEN_MINUTES,
    parts: () => [
      written(cluster),
      // Without a network no pod of it ever runs.
      ...(cluster.network.plugin.type === 'none' ? [] : [...(spread ? [spreadCoreDns(cluster)] : []), RUNNING]),
    ],
  });

/** CoreDNS is in the cluster, where kubeadm does not bring it; runs on a master. */
export function applyCoreDns(cluster: Cluster, images: readonly ImageItem[]): Step {
  const image = images.find(({ name }) => name === 'coredns');
  const mark = (text: string) => ({ [APPLIED]: checksumOf(text) });
  return defineStep({
    name: 'coredns.install',
    summary: 'Put CoreDNS into the cluster',
    parts: () => [
      applied({ id: 'CoreDNS', objects: () => Promise.resolve(image && coreDns(cluster, image.ref, mark)) }),
    ],
  });
}

const TEN_MINUTES = 600_000;

const RUNS: readonly Manifest[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'coredns', namespace: 'kube-system' } },
];

const RUNNING = rolledOut({ name: 'CoreDNS', objects: () => Promise.resolve(RUNS), timeoutMs: TEN_MINUTES - 30_000 });

/** The Corefile is ours where we brought CoreDNS, or the file asks for something or did so once; else it is kubeadm's. */
function written(cluster: Cluster): GenericStep {
  const text = corefile(cluster);
  const sum = checksumOf(text);
  return Object.freeze<GenericStep>({
    key: 'objects:corefile',
    summary: 'write the Corefile, and let CoreDNS read it',
    formerly: ['write the Corefile, and let CoreDNS read it'],
    async precheck(ctx) {
      const found = await look(ctx);
      if (found.mark === '' && !customizesCoreDns(cluster)) return DONE;
      return findingOf(
        [
          ...(found.corefile === text ? [] : ['the Corefile is another one']),
          ...(found.started === sum ? [] : ['CoreDNS was started with another one']),
        ],
        unifiedDiff('Corefile', found.corefile, text),
      );
    },
    async remember(ctx) {
      const { corefile: before, mark, started } = await look(ctx);
      return { corefile: before, mark, started };
    },
    async run(ctx) {
      // Where we brought the whole of CoreDNS its mark tells so: another one would make it look changed.
      const { mark } = await look(ctx);
      await write(ctx, { corefile: text, mark: mark || sum });
      await restartCoreDns(ctx, { [APPLIED]: sum });
    },
    async rollback(ctx, before) {
      await write(ctx, { corefile: textOf(before, 'corefile'), mark: textOf(before, 'mark') || null });
      await restartCoreDns(ctx, { [APPLIED]: textOf(before, 'started') || null });
    },
  });
}

async function look({ runner }: StepContext) {
  const [config, deployment] = await Promise.all(
    ['configmap', 'deployment'].map(async (kind): Promise<Json> => {
      const { stdout } = await runner.query(kubectl(sh`-n kube-system get ${kind} coredns -o json 2>/dev/null`));
      return stdout.trim().startsWith('{') ? JSON.parse(stdout) : {};
    }),
  );
  const within = (json: Json | undefined, ...path: readonly string[]) =>
    path.reduce<Json>((inner, name) => fieldOf(inner, name) ?? null, json ?? null);
  return {
    corefile: textOf(within(config, 'data'), 'Corefile'),
    mark: textOf(within(config, 'metadata', 'annotations'), APPLIED),
    started: textOf(within(deployment, 'spec', 'template', 'metadata', 'annotations'), APPLIED),
  };
}

const write = (
  ctx: StepContext,
  { corefile: text, mark }: { readonly corefile: string; readonly mark: string | null },
) => patchCoreDns(ctx, 'configmap', { metadata: { annotations: { [APPLIED]: mark } }, data: { Corefile: text } });

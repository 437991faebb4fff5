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

/**
 * Makes CoreDNS use the Corefile of the cluster; runs on a master. `spread` redistributes Pods that were started before
 * the nodes joined.
 */
export const applyCoreDnsConfig = (cluster: Cluster, { spread = false } = {}): Step =>
  defineStep({
    name: 'coredns.settle',
    summary: 'Configure CoreDNS',
    timeoutMs: TEN_MINUTES,
    parts: () => [
      writtenCorefile(cluster),
      // Without a network plugin CoreDNS never becomes ready.
      ...(cluster.network.plugin.type === 'none' ? [] : [...(spread ? [spreadCoreDns(cluster)] : []), RUNNING]),
    ],
  });

/** Installs CoreDNS in clusters without kubeadm; runs on a master. */
export function applyCoreDns(cluster: Cluster, images: readonly ImageItem[]): Step {
  const image = images.find(({ name }) => name === 'coredns');
  const mark = (text: string) => ({ [APPLIED]: checksumOf(text) });
  return defineStep({
    name: 'coredns.install',
    summary: 'Install CoreDNS',
    parts: () => [
      applied({ id: 'CoreDNS', objects: () => Promise.resolve(image && coreDns(cluster, image.ref, mark)) }),
    ],
  });
}

const TEN_MINUTES = 600_000;

const DEPLOYMENT: readonly Manifest[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'coredns', namespace: 'kube-system' } },
];

const RUNNING = rolledOut({
  name: 'CoreDNS',
  objects: () => Promise.resolve(DEPLOYMENT),
  timeoutMs: TEN_MINUTES - 30_000,
});

/** Writes the Corefile if kubexm installed CoreDNS, or if the cluster file customizes or once customized it. Otherwise kubeadm's stays. */
function writtenCorefile(cluster: Cluster): GenericStep {
  const text = corefile(cluster);
  const checksum = checksumOf(text);
  return Object.freeze<GenericStep>({
    key: 'objects:corefile',
    summary: 'write the Corefile and restart CoreDNS',
    formerly: ['write the Corefile, and let CoreDNS read it'],
    async precheck(ctx) {
      const found = await readState(ctx);
      if (found.mark === '' && !customizesCoreDns(cluster)) return DONE;
      return findingOf(
        [
          ...(found.corefile === text ? [] : ['the Corefile differs']),
          ...(found.started === checksum ? [] : ['CoreDNS runs with another Corefile']),
        ],
        unifiedDiff('Corefile', found.corefile, text),
      );
    },
    async remember(ctx) {
      const { corefile: before, mark, started } = await readState(ctx);
      return { corefile: before, mark, started };
    },
    async run(ctx) {
      // If kubexm installed CoreDNS, the annotation is the checksum of the whole object and must stay.
      const { mark } = await readState(ctx);
      await write(ctx, { corefile: text, mark: mark || checksum });
      await restartCoreDns(ctx, { [APPLIED]: checksum });
    },
    async rollback(ctx, before) {
      await write(ctx, { corefile: textOf(before, 'corefile'), mark: textOf(before, 'mark') || null });
      await restartCoreDns(ctx, { [APPLIED]: textOf(before, 'started') || null });
    },
  });
}

async function readState({ runner }: StepContext) {
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

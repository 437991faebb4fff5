import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { API_FILES } from '../../template/kubernetes/apiserver-files.ts';
import { hasSameKey, readableOnly } from '../../template/kubernetes/encryption.ts';
import { readPrivateFile } from '../../util/private-file.ts';
import { runningService } from '../common/running-service.ts';
import { uploadedLocalFile } from '../common/uploaded-local-file.ts';
import { DONE } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { kubectl } from '../kubernetes-object/kubectl.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { appliedConfiguration } from './applied-configuration.ts';
import { secretsChecksum } from './kubeadm-configuration.ts';
import { restartStaleApiserver, staticPodsCurrent } from './static-pods.ts';

/**
 * Masters have the key, before their API servers use it. Where a control plane runs without it, API servers learn to read
 * encrypted Secrets first: one that encrypts while another cannot decrypt yet would break the cluster.
 */
export const encryptionFile = (localPath: string): GenericStep => {
  const final = uploadedLocalFile({ localPath, path: API_FILES.encryption, mode: 0o600 });
  return Object.freeze<GenericStep>({
    ...final,
    async precheck(ctx: StepContext) {
      return (await isPresent(ctx, localPath)) ? DONE : final.precheck(ctx);
    },
    async run(ctx: StepContext) {
      const [found, wanted] = await Promise.all([ctx.runner.stat(API_FILES.encryption), readPrivateFile(localPath)]);
      if (found !== undefined || wanted === undefined || !(await ctx.runner.test(HAS_CONTROL_PLANE)))
        return final.run(ctx);
      await ctx.runner.run(sh`umask 077; mkdir -p -- /etc/kubernetes/encryption`);
      const content = readableOnly(wanted);
      await ctx.runner.write({ path: API_FILES.encryption, content, mode: 0o600, owner: 'root:root' });
    },
  });
};

const HAS_CONTROL_PLANE = sh`[ -e /etc/kubernetes/manifests/kube-apiserver.yaml ] || systemctl is-active -q kube-apiserver.service`;

/** A file with this key that still prefers plain text is completed by `apiserver.encrypt`. */
async function isPresent({ runner }: StepContext, localPath: string): Promise<boolean> {
  const [found, state, wanted] = await Promise.all([
    runner.read(API_FILES.encryption),
    runner.stat(API_FILES.encryption),
    readPrivateFile(localPath),
  ]);
  return found !== undefined && wanted !== undefined && state?.mode === 0o600 && hasSameKey(found, wanted);
}

/** The API server encrypts Secrets. Runs on one master after another, when all of them can read encrypted Secrets. */
export const encryptWrites = (cluster: Cluster, localPath: string): Step =>
  defineStep({
    name: 'apiserver.encrypt',
    summary: 'Encrypt new Secrets',
    timeoutMs: TEN_MINUTES,
    parts: ({ host }) => {
      const file = uploadedLocalFile({ localPath, path: API_FILES.encryption, mode: 0o600 });
      if (cluster.kubernetes.type === 'kubexm')
        return [
          file,
          runningService({
            unit: 'kube-apiserver.service',
            restartIfNewer: [API_FILES.encryption],
            startOnUndo: false,
          }),
        ];
      return [
        Object.freeze<GenericStep>({
          ...file,
          async run(ctx: StepContext) {
            await file.run(ctx);
            await restartStaleApiserver(ctx);
            await staticPodsCurrent(cluster, clusterHost(cluster, host)).run(ctx);
          },
        }),
      ];
    },
  });

const TEN_MINUTES = 600_000;

/** Secrets that were stored before the encryption was enabled are encrypted, too; runs on the first master. */
export const encryptExisting: Step = defineStep({
  name: 'apiserver.encrypt-existing',
  summary: 'Encrypt existing Secrets',
  timeoutMs: TEN_MINUTES,
  retries: 2,
  parts: () => [
    appliedConfiguration({
      key: 'configuration:secrets',
      summary: 'write all Secrets again',
      name: 'secrets',
      checksum: secretsChecksum,
      apply: async (ctx) => {
        const all = kubectl(sh`get secrets --all-namespaces -o json`);
        await ctx.runner.run(
          {
            // Text that is not JSON makes the second command fail if the first one did.
            text: `{ ${all.text} || echo failed; } | ${kubectl(sh`replace -f -`).text} >/dev/null`,
            display: 'kubectl get secrets | kubectl replace',
          },
          streamOutput(ctx),
        );
      },
    }),
  ],
});

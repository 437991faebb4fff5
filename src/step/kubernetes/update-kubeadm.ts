import type { StepView } from '../contract/part.ts';
import { sh } from '../../runner/command.ts';
import { kubeadmInit } from '../../template/kubeadm/init.ts';
import { KUBELET } from '../../template/kubernetes/paths.ts';
import { command } from '../common/command.ts';
import { streamOutput } from '../contract/output.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { appliedConfiguration } from './applied-configuration.ts';
import { newToken } from './bootstrap-token.ts';
import type { InitOptionsFor } from './init.ts';
import { formerControlPlane, kubeadmConfiguration } from './kubeadm-configuration.ts';
import { kubeadmPhase } from './kubeadm-command.ts';
import { restartStaleApiserver, staticPodsCurrent } from './static-pods.ts';

/** The ConfigMaps of kubeadm have the current configuration, so that nodes that join or update get it. */
export const uploadConfiguration = (optionsFor: InitOptionsFor): Step =>
  defineStep({
    name: 'kubeadm.upload-config',
    summary: 'Store the configuration of kubeadm in the cluster',
    parts: (view) => [
      appliedConfiguration({
        key: 'configuration:cluster',
        summary: 'upload the configuration of the control plane and the kubelets',
        name: 'cluster',
        checksum: kubeadmConfiguration(optionsFor(view)).cluster,
        apply: async (ctx) => {
          await ctx.runner.run(kubeadmPhase('init phase upload-config all'), {
            ...streamOutput(ctx),
            stdin: initFile(optionsFor, view),
          });
        },
      }),
    ],
  });

/** The kubelet has the current configuration, readable only by root. `kubelet.run` restarts it. */
export const updateKubelet = (optionsFor: InitOptionsFor): Step =>
  defineStep({
    name: 'kubelet.settings',
    summary: 'Update the configuration of the kubelet',
    parts: (view) => {
      const { patches, ...options } = optionsFor(view);
      const flags = patches === undefined ? sh`` : sh`--patches ${patches}`;
      return [
        appliedConfiguration({
          key: 'configuration:kubelet',
          summary: `write ${KUBELET.config}`,
          name: 'kubelet',
          checksum: kubeadmConfiguration({ ...options, patches }).kubelet,
          apply: async (ctx) => {
            await ctx.runner.run(
              sh`export PATH=/usr/local/bin:$PATH; kubeadm upgrade node phase kubelet-config ${flags}`,
              streamOutput(ctx),
            );
          },
        }),
        // kubeadm makes it readable by all.
        command({
          key: 'command:kubelet-config-mode',
          summary: `make ${KUBELET.config} readable only by root`,
          check: sh`[ ! -e ${KUBELET.config} ] || [ "$(stat -c %a ${KUBELET.config})" = 600 ]`,
          run: sh`chmod 600 ${KUBELET.config}`,
          because: 'is readable by others',
        }),
      ];
    },
  });

/** The static Pods of the control plane run with the current configuration. */
export const updateControlPlane = (optionsFor: InitOptionsFor): Step =>
  defineStep({
    name: 'kubeadm.control-plane',
    summary: 'Update the control plane',
    timeoutMs: TEN_MINUTES,
    parts: (view) => {
      const options = optionsFor(view);
      return [
        appliedConfiguration({
          key: 'configuration:control-plane',
          summary: 'write the manifests of the control plane and wait until it is healthy',
          name: 'control-plane',
          checksum: kubeadmConfiguration(options)['control-plane'],
          formerChecksum: formerControlPlane(options),
          apply: async (ctx) => {
            await ctx.runner.run(kubeadmPhase('init phase control-plane all'), {
              ...streamOutput(ctx),
              stdin: initFile(optionsFor, view),
            });
            await restartStaleApiserver(ctx);
            await staticPodsCurrent(options.cluster, options.host).run(ctx);
          },
        }),
      ];
    },
  });

const TEN_MINUTES = 600_000;

/** The phases do not create the token that the configuration needs to be valid. */
const initFile = (optionsFor: InitOptionsFor, view: StepView) =>
  kubeadmInit({ ...optionsFor(view), token: newToken() });

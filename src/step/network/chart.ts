import { catalogChart } from '../kubernetes-object/catalog-chart.ts';
import { helmRelease } from '../kubernetes-object/helm-release.ts';
import type { Assets } from '../../resource/assets.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Installs a network plugin from its Helm chart. Does not wait for Pods, because the join of each node waits for them. */
export const installNetworkChart = (name: string, title: string, values: object, assets: Assets): Step =>
  defineStep({
    name: `${name}.install`,
    summary: `Install ${title}`,
    timeoutMs: TEN_MINUTES,
    parts: (view) => [
      helmRelease({
        release: name,
        namespace: 'kube-system',
        chart: catalogChart(assets, `${name}-chart`, view),
        values: () => Promise.resolve(values),
        wait: false,
        timeoutMs: TEN_MINUTES - 30_000,
      }),
    ],
  });

const TEN_MINUTES = 600_000;

import { catalogChart } from '../kubernetes-object/catalog-chart.ts';
import { helmRelease } from '../kubernetes-object/helm-release.ts';
import type { Assets } from '../../resource/assets.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** A network plugin that its makers give out as a chart. Nodes that join meanwhile are waited for later, each for itself. */
export const installNetworkChart = (name: string, values: object, assets: Assets): Step =>
  defineStep({
    name: `${name}.install`,
    summary: `Let pods reach each other by ${name}`,
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

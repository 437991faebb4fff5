import type { ChosenAddons } from '../../pipeline/addon/install.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { chooseAddons } from '../../runtime/plan/choose-addons.ts';
import { findAssets } from '../../runtime/plan/find-assets.ts';
import type { AskedPipeline } from '../../runtime/plan/plan-asked.ts';
import type { OptionValues } from '../command.ts';
import { enterOffline, type offlineOptions } from '../options/offline.ts';
import type { AskedCluster, PipelineCall } from './run-pipeline.ts';

/** A call that is about addons. */
interface AddonCall extends PipelineCall {
  readonly options: PipelineCall['options'] & OptionValues<typeof offlineOptions>;
}

/** What is done to the addons of a cluster that were named. */
export const addonPipeline =
  ({ options, console }: AddonCall, names: readonly string[], pipelineOf: (chosen: ChosenAddons) => Pipeline) =>
  async ({ cluster: told, place: { workdir } }: AskedCluster): Promise<AskedPipeline> => {
    const offline = await enterOffline(options, console);
    const { addons, cluster } = chooseAddons(told, names);
    const assetsFor = findAssets(cluster, { workdir, offline, families: { addon: ['addons'] } });
    return (found) => pipelineOf({ addons, assets: assetsFor(found) });
  };

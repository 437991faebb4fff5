import type { ChosenAddons } from '../../pipeline/addon/install.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { chooseAddons } from '../../runtime/plan/choose-addons.ts';
import { findAssets } from '../../runtime/plan/find-assets.ts';
import type { AskedPipeline } from '../../runtime/plan/plan-asked.ts';
import type { OptionValues } from '../command.ts';
import { loadOfflineBundles, type offlineOptions } from '../options/artifacts.ts';
import type { LocatedCluster, PipelineCall } from './run-pipeline.ts';

/** A call of `addon install` or `addon uninstall`. */
interface AddonCall extends PipelineCall {
  readonly options: PipelineCall['options'] & OptionValues<typeof offlineOptions>;
}

/** The pipeline of a command that works on the addons with these names, or on all of the cluster file. */
export const addonPipeline =
  ({ options, console }: AddonCall, names: readonly string[], pipelineOf: (chosen: ChosenAddons) => Pipeline) =>
  async ({ cluster: loaded, location: { workdir } }: LocatedCluster): Promise<AskedPipeline> => {
    const offline = await loadOfflineBundles(options, console);
    const { addons, cluster } = chooseAddons(loaded, names);
    const assetsFor = findAssets(cluster, { workdir, offline, families: { addon: ['addons'] } });
    return (found) => pipelineOf({ addons, assets: assetsFor(found) });
  };

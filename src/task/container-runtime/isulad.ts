import { clearIsulad } from '../../step/container-runtime/isulad/clear.ts';
import { installIsuladPackages, isuladImages } from '../../step/container-runtime/isulad/program.ts';
import { runIsulad } from '../../step/container-runtime/isulad/service.ts';
import { awaitRuntime } from '../../step/container-runtime/shared/await-runtime.ts';
import { importImages } from '../../step/container-runtime/shared/import-images.ts';
import { runTestPod } from '../../step/container-runtime/shared/test-pod.ts';
import { testedVersions, runtimeSettings } from '../../step/container-runtime/shared/settings.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import { usedByRuntime } from '../../step/container-runtime/tools/used-by-runtime.ts';
import { undo } from '../../step/undo/undo.ts';
import { runtimeTasks } from './runtime-tasks.ts';

export const isulad = runtimeTasks({
  name: 'isulad',
  title: 'iSulad',
  install: ({ cluster, assets }) => [
    installCniPlugins(assets),
    installCrictl(cluster, assets),
    installIsuladPackages(assets),
    runIsulad(runtimeSettings(cluster, assets)),
    awaitRuntime('isulad'),
    importImages(isuladImages, assets.images),
    runTestPod('isulad', testedVersions(assets, [])),
  ],
  uninstall: [
    clearIsulad,
    undo('isulad.prove', 'Remove the test pod record of iSulad'),
    undo('isulad.run', 'Stop iSulad and remove its configuration'),
    undo('isulad.packages', 'Remove the iSulad packages'),
    undo('crictl.install', 'Remove crictl', { unless: usedByRuntime }),
    undo('cni-plugins.install', 'Remove the CNI plugins', { unless: usedByRuntime }),
  ],
});

import { clearCrio } from '../../step/container-runtime/crio/clear.ts';
import {
  installCrioPackages,
  installCrioPlugins,
  installCrioProgram,
} from '../../step/container-runtime/crio/program.ts';
import { runCrio } from '../../step/container-runtime/crio/service.ts';
import { awaitRuntime } from '../../step/container-runtime/shared/await-runtime.ts';
import { runTestPod } from '../../step/container-runtime/shared/test-pod.ts';
import { pullOnHost } from '../../step/container-runtime/shared/pull-on-host.ts';
import { testedVersions, runtimeSettings } from '../../step/container-runtime/shared/settings.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import { usedByRuntime } from '../../step/container-runtime/tools/used-by-runtime.ts';
import { undo } from '../../step/undo/undo.ts';
import { runtimeTasks } from './runtime-tasks.ts';

export const crio = runtimeTasks({
  name: 'crio',
  title: 'CRI-O',
  install: ({ cluster, assets }) => {
    const settings = runtimeSettings(cluster, assets);
    return [
      // The release archive also contains the CNI plugins and crictl.
      ...(settings.fromPackages
        ? [installCniPlugins(assets), installCrictl(cluster, assets), installCrioPackages(assets)]
        : [installCrioPlugins(assets), installCrioProgram(assets)]),
      runCrio(settings),
      awaitRuntime('cri-o'),
      // CRI-O cannot import images from a file.
      pullOnHost('cri-o', cluster, assets),
      runTestPod('cri-o', testedVersions(assets, ['cri-o'])),
    ];
  },
  uninstall: [
    clearCrio,
    undo('cri-o.prove', 'Remove the test pod record of CRI-O'),
    undo('cri-o.run', 'Stop CRI-O and remove its configuration'),
    undo('cri-o.install', 'Remove the CRI-O binaries'),
    undo('cri-o.install-plugins', 'Remove the CNI plugins of CRI-O'),
    undo('cri-o.packages', 'Remove the CRI-O packages'),
    undo('crictl.install', 'Remove crictl', { unless: usedByRuntime }),
    undo('cni-plugins.install', 'Remove the CNI plugins', { unless: usedByRuntime }),
  ],
});

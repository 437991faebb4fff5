import { clearDocker, clearDockerNetwork } from '../../step/container-runtime/docker/clear.ts';
import {
  dockerImages,
  installCriDockerd,
  installDockerPackages,
  installDockerProgram,
  recordDockerOwner,
} from '../../step/container-runtime/docker/program.ts';
import { runCriDockerd, runDocker } from '../../step/container-runtime/docker/service.ts';
import { awaitRuntime } from '../../step/container-runtime/shared/await-runtime.ts';
import { importImages } from '../../step/container-runtime/shared/import-images.ts';
import { runTestPod } from '../../step/container-runtime/shared/test-pod.ts';
import { testedVersions, runtimeSettings } from '../../step/container-runtime/shared/settings.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import { usedByRuntime } from '../../step/container-runtime/tools/used-by-runtime.ts';
import { undo } from '../../step/undo/undo.ts';
import { runtimeTasks } from './runtime-tasks.ts';

export const docker = runtimeTasks({
  name: 'docker',
  title: 'Docker and cri-dockerd',
  install: ({ cluster, assets }) => {
    const settings = runtimeSettings(cluster, assets);
    return [
      installCniPlugins(assets),
      installCrictl(cluster, assets),
      recordDockerOwner,
      settings.fromPackages ? installDockerPackages(assets) : installDockerProgram(assets),
      runDocker(settings),
      installCriDockerd(assets),
      runCriDockerd(settings.sandboxImage),
      awaitRuntime('docker'),
      importImages(dockerImages, assets.images),
      runTestPod('docker', testedVersions(assets, ['docker', 'cri-dockerd'])),
    ];
  },
  uninstall: [
    clearDocker,
    undo('docker.prove', 'Remove the test pod record of Docker'),
    undo('cri-dockerd.run', 'Stop cri-dockerd and remove its configuration'),
    undo('cri-dockerd.install', 'Remove the cri-dockerd binary'),
    undo('docker.run', 'Stop Docker and remove its configuration'),
    undo('docker.install', 'Remove the Docker binaries'),
    undo('docker.packages', 'Remove the Docker packages'),
    clearDockerNetwork,
    undo('docker.note', 'Remove the owner record of Docker'),
    undo('crictl.install', 'Remove crictl', { unless: usedByRuntime }),
    undo('cni-plugins.install', 'Remove the CNI plugins', { unless: usedByRuntime }),
  ],
});

import { clearContainerd } from '../../step/container-runtime/containerd/clear.ts';
import {
  containerdImages,
  installContainerdProgram,
  recordContainerdOwner,
} from '../../step/container-runtime/containerd/program.ts';
import { runContainerd } from '../../step/container-runtime/containerd/service.ts';
import { awaitRuntime } from '../../step/container-runtime/shared/await-runtime.ts';
import { importImages } from '../../step/container-runtime/shared/import-images.ts';
import { runTestPod } from '../../step/container-runtime/shared/test-pod.ts';
import { testedVersions, runtimeSettings } from '../../step/container-runtime/shared/settings.ts';
import { installCniPlugins, installCrictl, installRunc } from '../../step/container-runtime/tools/tools.ts';
import { usedByRuntime } from '../../step/container-runtime/tools/used-by-runtime.ts';
import { undo } from '../../step/undo/undo.ts';
import { runtimeTasks } from './runtime-tasks.ts';

export const containerd = runtimeTasks({
  name: 'containerd',
  title: 'containerd',
  install: ({ cluster, assets }) => [
    installRunc(assets),
    installCniPlugins(assets),
    installCrictl(cluster, assets),
    recordContainerdOwner,
    installContainerdProgram(assets),
    runContainerd(runtimeSettings(cluster, assets)),
    awaitRuntime('containerd'),
    importImages(containerdImages(cluster, assets), assets.images),
    runTestPod('containerd', testedVersions(assets, ['containerd', 'runc'])),
  ],
  uninstall: [
    clearContainerd,
    undo('containerd.prove', 'Remove the test pod record of containerd'),
    undo('containerd.run', 'Stop containerd and remove its configuration'),
    undo('containerd.install', 'Remove the containerd binaries'),
    undo('containerd.note', 'Remove the owner record of containerd'),
    undo('crictl.install', 'Remove crictl', { unless: usedByRuntime }),
    undo('cni-plugins.install', 'Remove the CNI plugins', { unless: usedByRuntime }),
    undo('runc.install', 'Remove runc'),
  ],
});

import { requestedAddons, unsupportedAddon } from '../config/model/addons.ts';
import { empty, parallel, sequence } from '../plan/fragment.ts';
import {
  bootstrapFirstBinaryMaster,
  generateKubeconfigs,
  generateKubePki,
  installBinaries,
  joinBinaryMasters,
  joinBinaryWorkers,
  resetBinaryNodes,
  setUpFirstBinaryNode,
  uninstallBinaries,
  updateBinaryEtcdServers,
  updateBinaryMasters,
} from '../task/kubernetes/binary.ts';
import { checkAddition, checkChanges, checkSupport } from '../task/kubernetes/checks.ts';
import {
  bootstrapFirstMaster,
  installKubernetes,
  joinMasters,
  joinWorkers,
  resetNodes,
  setUpFirstNode,
  uninstallKubernetes,
  updateEtcdServers,
  updateMasters,
  uploadJoinConfiguration,
} from '../task/kubernetes/kubeadm.ts';
import { setUpNodes, verifyJoinedNodes } from '../task/kubernetes/nodes.ts';
import { fetchKubeconfig, saveState } from '../task/kubernetes/state.ts';
import { defineModule, type Module } from './module.ts';

const kubernetes = { name: 'kubernetes', installs: ['kubernetes', 'etcd'] } as const;

/** Runs before the first change. */
export const checkSupportModule = defineModule({
  ...kubernetes,
  title: 'Check that the cluster can be installed',
  plan: ({ cluster, task }) => {
    const [unsupported] = requestedAddons(cluster).flatMap((addon) => unsupportedAddon(addon) ?? []);
    return unsupported ? task(checkSupport, unsupported) : task(checkChanges);
  },
});

/** Runs before hosts are added to a running cluster. */
export const checkAdditionModule = defineModule({
  ...kubernetes,
  title: 'Check that the hosts can be added',
  plan: ({ task }) => task(checkAddition),
});

export const installKubernetesModule = defineModule({
  ...kubernetes,
  title: 'Install Kubernetes',
  plan: ({ cluster, task }) => {
    switch (cluster.kubernetes.type) {
      case 'kubeadm':
        return task(installKubernetes);
      case 'kubexm':
        return task(installBinaries);
    }
  },
});

/** Runs on the local machine while the hosts are installed. */
export const generatePkiModule = defineModule({
  ...kubernetes,
  title: 'Generate certificates and kubeconfigs',
  plan: ({ cluster, task }) => {
    switch (cluster.kubernetes.type) {
      // kubeadm generates them on the first master.
      case 'kubeadm':
        return empty;
      case 'kubexm':
        return sequence(task(generateKubePki), task(generateKubeconfigs));
    }
  },
});

export const bootstrapModule = defineModule({
  ...kubernetes,
  title: 'Start the control plane',
  plan: ({ cluster, task }) => {
    switch (cluster.kubernetes.type) {
      case 'kubeadm':
        return sequence(task(bootstrapFirstMaster), task(fetchKubeconfig));
      case 'kubexm':
        return sequence(task(bootstrapFirstBinaryMaster), task(fetchKubeconfig));
    }
  },
});

/** Runs while the network plugin starts and other nodes join. */
export const setUpFirstNodeModule = defineModule({
  ...kubernetes,
  title: 'Set up the node of the first master',
  plan: ({ cluster, task }) => {
    switch (cluster.kubernetes.type) {
      case 'kubeadm':
        return task(setUpFirstNode);
      case 'kubexm':
        return task(setUpFirstBinaryNode);
    }
  },
});

/** Prepares a running cluster for nodes: their certificates, and the configuration that masters join with. */
export const prepareJoinModule = defineModule({
  ...kubernetes,
  title: 'Prepare the cluster for the new nodes',
  plan: ({ cluster, task }) => {
    switch (cluster.kubernetes.type) {
      case 'kubeadm':
        return task(uploadJoinConfiguration);
      case 'kubexm':
        return sequence(task(generateKubePki), task(generateKubeconfigs));
    }
  },
});

/** Connects the API servers of a running cluster to its current etcd members. */
export const updateEtcdServersModule = defineModule({
  ...kubernetes,
  title: 'Connect the API servers to all etcd members',
  plan: ({ cluster, task }) => {
    switch (cluster.kubernetes.type) {
      case 'kubeadm':
        return task(updateEtcdServers);
      case 'kubexm':
        return task(updateBinaryEtcdServers);
    }
  },
});

export const joinModule = defineModule({
  ...kubernetes,
  title: 'Join the other nodes',
  plan: ({ cluster, task }) => {
    switch (cluster.kubernetes.type) {
      case 'kubeadm':
        return sequence(task(joinMasters), task(joinWorkers));
      case 'kubexm':
        return parallel(task(joinBinaryMasters), task(joinBinaryWorkers));
    }
  },
});

/** Runs before anything else refers to the new nodes. */
export const verifyJoinModule = defineModule({
  ...kubernetes,
  title: 'Check that the new nodes have joined',
  plan: ({ task }) => task(verifyJoinedNodes),
});

/** Applies changes of the cluster file to the control plane of an existing cluster. */
export const updateMastersModule = defineModule({
  ...kubernetes,
  title: 'Update the control plane',
  plan: ({ cluster, task }) => {
    switch (cluster.kubernetes.type) {
      case 'kubeadm':
        return task(updateMasters);
      case 'kubexm':
        return task(updateBinaryMasters);
    }
  },
});

export const setUpNodesModule = defineModule({
  ...kubernetes,
  title: 'Set up the nodes',
  plan: ({ cluster, task }) =>
    task(setUpNodes, {
      hasNetwork: cluster.network.plugin.type !== 'none',
      proxyPods: cluster.kubernetes.type === 'kubeadm',
    }),
});

export const saveStateModule = defineModule({
  ...kubernetes,
  title: 'Save the applied state',
  plan: ({ task }) => task(saveState),
});

/** Whether the data of an etcd that kubeadm runs is kept on the hosts. */
export interface UninstallKubernetesOptions {
  readonly preserveData: boolean;
}

export const uninstallKubernetesModule = (options: UninstallKubernetesOptions): Module =>
  defineModule({
    name: kubernetes.name,
    title: 'Uninstall Kubernetes',
    plan: ({ cluster, task }) => {
      switch (cluster.kubernetes.type) {
        case 'kubeadm':
          return sequence(task(resetNodes, options), task(uninstallKubernetes, options));
        case 'kubexm':
          return sequence(task(resetBinaryNodes, options), task(uninstallBinaries, options));
      }
    },
  });

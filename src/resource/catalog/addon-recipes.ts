import type { AddonName } from '../../config/data/addons.ts';
import { chart, github, image, listedIn, manifest, NODES, type Component } from './component.ts';

const raw = (repository: string, path: string) => `https://raw.githubusercontent.com/${repository}/${path}`;
const fromChart = (name: string) => `The images of ${name} are listed only in its chart; hosts pull them.`;

/** Returns a catalog addon. */
export const addonComponent = (name: AddonName): Component => ({
  ...addonRecipes[name],
  name,
  roles: NODES,
  folder: `addons/${name}`,
});

/** The files and images of each addon. */
const addonRecipes: Readonly<Record<AddonName, Pick<Component, 'version' | 'files' | 'images' | 'note'>>> = {
  'ingress-nginx': {
    version: '1.13.0',
    files: [
      // The chart version differs from the application version: chart 4.13.0 installs 1.13.0.
      chart('ingress-nginx', ({ version }) => {
        const chartVersion = version.replace(/^1\./, '4.');
        return github('kubernetes/ingress-nginx', `helm-chart-${chartVersion}/ingress-nginx-${chartVersion}.tgz`);
      }),
    ],
    images: [
      image('ingress-nginx', 'registry.k8s.io/ingress-nginx/controller'),
      { name: 'ingress-nginx-certgen', ref: () => 'registry.k8s.io/ingress-nginx/kube-webhook-certgen:v1.6.0' },
    ],
  },
  kata: {
    version: '3.17.0',
    files: [
      {
        name: 'kata',
        url: ({ version, arch }) =>
          github('kata-containers/kata-containers', `${version}/kata-static-${version}-${arch}.tar.xz`),
        format: 'xz',
      },
    ],
  },
  'local-path': {
    version: '0.0.30',
    files: [
      manifest('local-path', ({ tag }) =>
        raw('rancher/local-path-provisioner', `${tag}/deploy/local-path-storage.yaml`),
      ),
    ],
    images: [
      image('local-path', 'docker.io/rancher/local-path-provisioner'),
      { name: 'busybox', ref: () => 'docker.io/library/busybox:1.37.0' },
    ],
  },
  longhorn: {
    version: '1.9.1',
    files: [
      chart('longhorn', ({ version }) => github('longhorn/charts', `longhorn-${version}/longhorn-${version}.tgz`)),
    ],
    note: fromChart('longhorn'),
  },
  metallb: {
    version: '0.15.2',
    files: [manifest('metallb', ({ tag }) => raw('metallb/metallb', `${tag}/config/manifests/metallb-native.yaml`))],
    images: [
      image('metallb-controller', 'quay.io/metallb/controller'),
      image('metallb-speaker', 'quay.io/metallb/speaker'),
    ],
  },
  'metrics-server': {
    version: '0.9.0',
    files: [
      manifest('metrics-server', ({ tag }) => github('kubernetes-sigs/metrics-server', `${tag}/components.yaml`)),
    ],
    images: [image('metrics-server', 'registry.k8s.io/metrics-server/metrics-server')],
  },
  monitoring: {
    version: '75.0.0',
    files: [
      chart('monitoring', ({ version }) =>
        github(
          'prometheus-community/helm-charts',
          `kube-prometheus-stack-${version}/kube-prometheus-stack-${version}.tgz`,
        ),
      ),
    ],
    note: fromChart('monitoring'),
  },
  multus: {
    version: '4.2.4',
    files: [
      manifest('multus', ({ tag }) =>
        raw('k8snetworkplumbingwg/multus-cni', `${tag}/deployments/multus-daemonset.yml`),
      ),
    ],
    images: [image('multus', 'ghcr.io/k8snetworkplumbingwg/multus-cni')],
  },
  'nfs-client': {
    version: '4.0.18',
    files: [
      chart('nfs-client', ({ version }) => {
        const name = `nfs-subdir-external-provisioner-${version}`;
        return github('kubernetes-sigs/nfs-subdir-external-provisioner', `${name}/${name}.tgz`);
      }),
    ],
    images: [{ name: 'nfs-client', ref: () => 'registry.k8s.io/sig-storage/nfs-subdir-external-provisioner:v4.0.2' }],
  },
  'node-feature-discovery': {
    version: '0.17.3',
    files: [
      chart('node-feature-discovery', ({ tag, version }) =>
        github('kubernetes-sigs/node-feature-discovery', `${tag}/node-feature-discovery-chart-${version}.tgz`),
      ),
    ],
    images: [image('node-feature-discovery', 'registry.k8s.io/nfd/node-feature-discovery')],
  },
  openebs: {
    version: '4.5.1',
    files: [
      chart(
        'openebs',
        ({ version }) => `https://openebs.github.io/dynamic-localpv-provisioner/localpv-provisioner-${version}.tgz`,
      ),
    ],
    note: fromChart('openebs'),
  },
  velero: {
    version: '1.18.1',
    files: [
      {
        name: 'velero',
        url: ({ tag, arch }) => github('vmware-tanzu/velero', `${tag}/velero-${tag}-linux-${arch}.tar.gz`),
        checksum: listedIn('CHECKSUM'),
        format: 'gzip',
      },
    ],
    images: [image('velero', 'docker.io/velero/velero')],
  },
};

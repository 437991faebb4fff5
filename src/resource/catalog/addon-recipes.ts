import type { AddonName } from '../../config/data/addons.ts';
import { among, chart, github, image, manifest, type Component } from './component.ts';

const raw = (repository: string, path: string) => `https://raw.githubusercontent.com/${repository}/${path}`;
const fromChart = (name: string) => `The images of ${name} are named by its chart; hosts pull them.`;

/** What a release of each addon consists of. */
export const addonRecipes: Readonly<Record<AddonName, Pick<Component, 'version' | 'files' | 'images' | 'note'>>> = {
  'ingress-nginx': {
    version: '1.13.0',
    files: [
      // The chart counts for itself: 4.13.0 belongs to 1.13.0.
      chart('ingress-nginx', ({ n }) => {
        const own = n.replace(/^1\./, '4.');
        return github('kubernetes/ingress-nginx', `helm-chart-${own}/ingress-nginx-${own}.tgz`);
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
        url: ({ n, a }) => github('kata-containers/kata-containers', `${n}/kata-static-${n}-${a}.tar.xz`),
        content: 'xz',
      },
    ],
  },
  'local-path': {
    version: '0.0.30',
    files: [
      manifest('local-path', ({ v }) => raw('rancher/local-path-provisioner', `${v}/deploy/local-path-storage.yaml`)),
    ],
    images: [
      image('local-path', 'docker.io/rancher/local-path-provisioner'),
      { name: 'busybox', ref: () => 'docker.io/library/busybox:1.37.0' },
    ],
  },
  longhorn: {
    version: '1.9.1',
    files: [chart('longhorn', ({ n }) => github('longhorn/charts', `longhorn-${n}/longhorn-${n}.tgz`))],
    note: fromChart('longhorn'),
  },
  metallb: {
    version: '0.15.2',
    files: [manifest('metallb', ({ v }) => raw('metallb/metallb', `${v}/config/manifests/metallb-native.yaml`))],
    images: [
      image('metallb-controller', 'quay.io/metallb/controller'),
      image('metallb-speaker', 'quay.io/metallb/speaker'),
    ],
  },
  'metrics-server': {
    version: '0.9.0',
    files: [manifest('metrics-server', ({ v }) => github('kubernetes-sigs/metrics-server', `${v}/components.yaml`))],
    images: [image('metrics-server', 'registry.k8s.io/metrics-server/metrics-server')],
  },
  monitoring: {
    version: '75.0.0',
    files: [
      chart('monitoring', ({ n }) =>
        github('prometheus-community/helm-charts', `kube-prometheus-stack-${n}/kube-prometheus-stack-${n}.tgz`),
      ),
    ],
    note: fromChart('monitoring'),
  },
  multus: {
    version: '4.2.4',
    files: [
      manifest('multus', ({ v }) => raw('k8snetworkplumbingwg/multus-cni', `${v}/deployments/multus-daemonset.yml`)),
    ],
    images: [image('multus', 'ghcr.io/k8snetworkplumbingwg/multus-cni')],
  },
  'nfs-client': {
    version: '4.0.18',
    files: [
      chart('nfs-client', ({ n }) => {
        const name = `nfs-subdir-external-provisioner-${n}`;
        return github('kubernetes-sigs/nfs-subdir-external-provisioner', `${name}/${name}.tgz`);
      }),
    ],
    images: [{ name: 'nfs-client', ref: () => 'registry.k8s.io/sig-storage/nfs-subdir-external-provisioner:v4.0.2' }],
  },
  'node-feature-discovery': {
    version: '0.17.3',
    files: [
      chart('node-feature-discovery', ({ v, n }) =>
        github('kubernetes-sigs/node-feature-discovery', `${v}/node-feature-discovery-chart-${n}.tgz`),
      ),
    ],
    images: [image('node-feature-discovery', 'registry.k8s.io/nfd/node-feature-discovery')],
  },
  openebs: {
    version: '4.5.1',
    files: [
      chart('openebs', ({ n }) => `https://openebs.github.io/dynamic-localpv-provisioner/localpv-provisioner-${n}.tgz`),
    ],
    note: fromChart('openebs'),
  },
  velero: {
    version: '1.18.1',
    files: [
      {
        name: 'velero',
        url: ({ v, a }) => github('vmware-tanzu/velero', `${v}/velero-${v}-linux-${a}.tar.gz`),
        sum: among('CHECKSUM'),
        content: 'gzip',
      },
    ],
    images: [image('velero', 'docker.io/velero/velero')],
  },
};

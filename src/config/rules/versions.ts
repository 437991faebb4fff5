import { containerdFor, newestKubernetesFor, oldestEtcdFrom, removedFlags } from '../data/compatibility.ts';
import { kubernetesReleases } from '../data/kubernetes-releases.ts';
import { gatesOf, gateState } from '../feature-gate.ts';
import { quoted } from '../issues.ts';
import { nearest } from '../nearest.ts';
import type { Spec } from '../schema/cluster.ts';
import { compareVersions, minorOf, toVersion } from '../version.ts';
import { finding, near, type Rule, type RuleFinding } from './rule.ts';

const VERSION = ['kubernetes', 'version'];
const components = ['apiserver', 'controllerManager', 'scheduler', 'kubelet', 'kubeProxy'] as const;

export const versionRules: readonly Rule[] = [
  {
    id: 'kubernetes-version-known',
    severity: 'warning',
    about: 'The Kubernetes minor is one that kubexm knows.',
    reads: ['kubernetes.version'],
    check: ({ kubernetes: { version } }) => {
      const [oldest, newest] = [kubernetesReleases[0]!.minor, kubernetesReleases.at(-1)!.minor];
      const known = toVersion(version).major === 1 && minorOf(version) >= oldest && minorOf(version) <= newest;
      return known
        ? []
        : [
            finding(
              VERSION,
              `is not among the releases that are known, 1.${oldest} to 1.${newest}; it is not tested`,
              quoted(version),
            ),
          ];
    },
  },
  {
    id: 'kubernetes-version-maintained',
    severity: 'warning',
    about: 'The Kubernetes minor still gets fixes.',
    reads: ['kubernetes.version'],
    check: ({ kubernetes: { version } }, today) => {
      const release = kubernetesReleases.find(({ minor }) => minor === minorOf(version));
      return release && release.endOfLife < today.toISOString().slice(0, 10)
        ? [finding(VERSION, `is of a release that gets no fixes since ${release.endOfLife}`, quoted(version))]
        : [];
    },
  },
  {
    id: 'feature-gate',
    severity: 'error',
    about: 'Each feature gate exists in the Kubernetes release; a component that meets another one does not start.',
    reads: ['kubernetes.version', 'kubernetes.featureGates'],
    check: checkGates,
  },
  {
    id: 'flag-removed',
    severity: 'error',
    about: 'No extra flag is one that the component dropped before this release.',
    reads: ['kubernetes'],
    check: ({ kubernetes }) =>
      components.flatMap((name) =>
        Object.keys(kubernetes[name].extraArgs).flatMap((flag) => {
          const dropped = removedFlags[name]?.[flag];
          return dropped !== undefined && minorOf(kubernetes.version) >= dropped
            ? [finding(['kubernetes', name, 'extraArgs', flag], `is a flag that Kubernetes 1.${dropped} dropped`)]
            : [];
        }),
      ),
  },
  {
    id: 'proxy-mode-available',
    severity: 'error',
    about: 'kube-proxy has the mode: nftables from 1.31 on.',
    reads: ['kubernetes.version', 'kubernetes.proxyMode'],
    check: ({ kubernetes: { proxyMode, version } }) =>
      proxyMode === 'nftables' && minorOf(version) < 31
        ? [
            {
              ...finding(
                ['kubernetes', 'proxyMode'],
                `needs Kubernetes 1.31 or newer, and the version is ${version}`,
                '"nftables"',
              ),
              allowed: ['auto', 'iptables', 'ipvs'],
            },
          ]
        : [],
  },
  {
    id: 'proxy-mode-ipvs',
    severity: 'warning',
    about: 'ipvs is deprecated since Kubernetes 1.35.',
    reads: ['kubernetes.version', 'kubernetes.proxyMode'],
    check: ({ kubernetes: { proxyMode, version } }) =>
      proxyMode === 'ipvs' && minorOf(version) >= 35
        ? [finding(['kubernetes', 'proxyMode'], 'is deprecated since Kubernetes 1.35; better nftables', '"ipvs"')]
        : [],
  },
  {
    id: 'runtime-version',
    severity: 'warning',
    about: 'The container runtime is a version that suits the Kubernetes release.',
    reads: ['kubernetes.version', 'kubernetes.containerRuntime'],
    check: checkRuntime,
  },
  {
    id: 'network-version',
    severity: 'warning',
    about: 'The network plugin is a version that was tested with the Kubernetes release.',
    reads: ['kubernetes.version', 'network.plugin', 'network.version'],
    check: ({ kubernetes, network: { plugin, version } }) => {
      if (version === undefined) return [];
      const newest = newestKubernetesFor[plugin]?.[version.split('.').slice(0, 2).join('.')];
      return newest !== undefined && minorOf(kubernetes.version) > newest
        ? [
            finding(
              ['network', 'version'],
              `of ${plugin} was tested up to Kubernetes 1.${newest}, and the version is ${kubernetes.version}`,
              quoted(version),
            ),
          ]
        : [];
    },
  },
  {
    id: 'etcd-version',
    severity: 'warning',
    about: 'etcd is new enough for the Kubernetes release.',
    reads: ['kubernetes.version', 'etcd.version'],
    check: ({ kubernetes, etcd }) => {
      const oldest = oldestEtcdFrom.find(([minor]) => minorOf(kubernetes.version) >= minor)?.[1];
      return etcd.version !== undefined && oldest !== undefined && compareVersions(etcd.version, oldest) < 0
        ? [
            finding(
              ['etcd', 'version'],
              `is older than ${oldest}, which Kubernetes ${kubernetes.version} needs`,
              quoted(etcd.version),
            ),
          ]
        : [];
    },
  },
];

function checkGates({ kubernetes: { featureGates, version } }: Spec): readonly RuleFinding[] {
  const minor = minorOf(version);
  return Object.keys(featureGates).flatMap((name) => {
    const path = ['kubernetes', 'featureGates', name];
    const state = gateState(name, minor);
    switch (state.type) {
      case 'there':
        return [];
      case 'dropped':
        return [
          finding(
            path,
            `is a feature gate that Kubernetes ${state.since} dropped, and the version is ${version}; remove it`,
          ),
        ];
      case 'not-yet':
        return [finding(path, `is a feature gate since Kubernetes ${state.since}, and the version is ${version}`)];
      case 'unknown':
        return [
          { ...finding(path, `is no feature gate of Kubernetes 1.${minor}`), ...near(nearest(name, gatesOf(minor))) },
        ];
    }
  });
}

function checkRuntime({ kubernetes: { version, containerRuntime } }: Spec): readonly RuleFinding[] {
  const { type, version: runtime } = containerRuntime;
  const path = ['kubernetes', 'containerRuntime', 'version'];
  if (type === 'isulad' && minorOf(version) > 29)
    return [
      finding(
        ['kubernetes', 'containerRuntime', 'type'],
        `speaks the CRI of Kubernetes 1.29, and the version is ${version}`,
        '"isulad"',
      ),
    ];
  if (runtime === undefined) return [];
  if (type === 'cri-o') {
    return minorOf(runtime) === minorOf(version)
      ? []
      : [finding(path, `of cri-o should have the minor of Kubernetes, 1.${minorOf(version)}`, quoted(runtime))];
  }
  const oldest = containerdFor[minorOf(version)] ?? [];
  if (type !== 'containerd' || oldest.length === 0) return [];
  const newestBranch = oldest.at(-1)!;
  const suits = oldest.some((start) => isPatchOf(runtime, start)) || compareVersions(runtime, newestBranch) >= 0;
  return suits
    ? []
    : [
        {
          ...finding(path, `of containerd is older than Kubernetes ${version} advises`, quoted(runtime)),
          allowed: oldest.map((start) => `${start} or newer`),
        },
      ];
}

const isPatchOf = (version: string, start: string) => {
  const [a, b] = [toVersion(version), toVersion(start)];
  return a.major === b.major && a.minor === b.minor && a.patch >= b.patch;
};

import { removedFlags } from '../data/compatibility.ts';
import { kubernetesReleases, type KubernetesRelease } from '../data/kubernetes-releases.ts';
import { nearest } from '../diagnostic/nearest.ts';
import { quoted } from '../diagnostic/quote.ts';
import { CONTAINER_RUNTIMES } from '../model/container-runtimes.ts';
import { containerdAdvice, crioAdvice, etcdAdvice, networkAdvice } from '../model/compatibility.ts';
import { gatesOf, gateState } from '../model/feature-gate.ts';
import { minorOf, toVersion } from '../model/version.ts';
import type { Spec } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';
import { eachValid, skipInvalid } from './invalid-values.ts';
import { finding, near, type Rule, type RuleFinding } from './rule.ts';

const VERSION = ['kubernetes', 'version'];
const components = ['apiserver', 'controllerManager', 'scheduler', 'kubelet', 'kubeProxy'] as const;

export const versionRules: readonly Rule[] = [
  {
    id: 'kubernetes-for-kubeadm',
    severity: 'warning',
    about: 'patches and ignorePreflightErrors have an effect only with kubernetes.type kubeadm.',
    check: ({ kubernetes: { type, patches, ignorePreflightErrors } }) => {
      if (type === 'kubeadm') return [];
      const unused = (field: string, value: string) =>
        finding(['kubernetes', field], `is ignored, because spec.kubernetes.type is ${type}`, quoted(value));
      return [
        ...(patches === undefined ? [] : [unused('patches', patches)]),
        ...(ignorePreflightErrors.length === 0
          ? []
          : [unused('ignorePreflightErrors', ignorePreflightErrors.join(', '))]),
      ];
    },
  },
  {
    id: 'kubernetes-version-known',
    severity: 'warning',
    about: 'The Kubernetes version should exist and be known to kubexm.',
    check: checkKnown,
  },
  {
    id: 'kubernetes-version-maintained',
    severity: 'warning',
    about: 'The Kubernetes release should still be maintained.',
    check: ({ kubernetes: { version } }, today) => {
      const release = kubernetesReleases.find(({ minor }) => minor === minorOf(version));
      return release && hasEnded(release, today)
        ? [finding(VERSION, `reached its end of life on ${release.endOfLife}`, quoted(version))]
        : [];
    },
  },
  {
    id: 'feature-gate',
    severity: 'error',
    about:
      'Each feature gate must exist in the Kubernetes release; components do not start with an unknown feature gate.',
    check: checkGates,
  },
  {
    id: 'flag-removed',
    severity: 'error',
    about: 'extraArgs must not contain flags that were removed from the component.',
    check: ({ kubernetes }) =>
      eachValid(components, (name) =>
        Object.keys(kubernetes[name].extraArgs).flatMap((flag) => {
          const removedIn = removedFlags[name]?.[flag];
          return removedIn !== undefined && minorOf(kubernetes.version) >= removedIn
            ? [finding(['kubernetes', name, 'extraArgs', flag], `was removed in Kubernetes 1.${removedIn}`)]
            : [];
        }),
      ),
  },
  {
    id: 'proxy-mode-available',
    severity: 'error',
    about: 'The nftables mode of kube-proxy requires Kubernetes 1.31 or newer.',
    check: ({ kubernetes: { proxyMode, version } }) =>
      proxyMode === 'nftables' && minorOf(version) < 31
        ? [
            {
              ...finding(
                ['kubernetes', 'proxyMode'],
                `requires Kubernetes 1.31 or newer, but the version is ${version}`,
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
    about: 'The ipvs mode of kube-proxy is deprecated as of Kubernetes 1.35.',
    check: ({ kubernetes: { proxyMode, version } }) =>
      proxyMode === 'ipvs' && minorOf(version) >= 35
        ? [finding(['kubernetes', 'proxyMode'], 'is deprecated as of Kubernetes 1.35; use nftables', '"ipvs"')]
        : [],
  },
  {
    id: 'runtime-from-packages',
    severity: 'error',
    about: 'Only docker and cri-o can be installed from packages; containerd is installed from its upstream release.',
    check: ({ kubernetes: { containerRuntime } }) =>
      containerRuntime.type === 'containerd' && containerRuntime.from === 'packages'
        ? [
            {
              ...finding(['kubernetes', 'containerRuntime', 'from'], 'is not available for containerd', '"packages"'),
              allowed: ['release'],
            },
          ]
        : [],
  },
  {
    id: 'runtime-version',
    severity: 'warning',
    about: 'The container runtime version should be compatible with the Kubernetes release.',
    check: checkRuntime,
  },
  {
    id: 'network-version',
    severity: 'warning',
    about: 'The network plugin version should be tested with the Kubernetes release.',
    check: ({ kubernetes, network: { plugin, version } }) =>
      version === undefined
        ? []
        : advice(['network', 'version'], networkAdvice(plugin, kubernetes.version, version), version),
  },
  {
    id: 'etcd-version',
    severity: 'warning',
    about: 'The etcd version should be recent enough for the Kubernetes release.',
    check: ({ kubernetes, etcd: { version } }) =>
      version === undefined ? [] : advice(['etcd', 'version'], etcdAdvice(kubernetes.version, version), version),
  },
];

function checkKnown({ kubernetes: { version } }: Spec, today: Date): readonly RuleFinding[] {
  const { major, minor, patch } = toVersion(version);
  const release = kubernetesReleases.find((each) => major === 1 && each.minor === minor);
  const range = `1.${kubernetesReleases[0]!.minor} to 1.${kubernetesReleases.at(-1)!.minor}`;
  if (release === undefined) {
    return [finding(VERSION, `is not a release known to kubexm (${range}) and is untested`, quoted(version))];
  }
  return hasEnded(release, today) && patch > release.lastPatch
    ? [
        finding(
          VERSION,
          `does not exist; the last patch of the release is 1.${minor}.${release.lastPatch}`,
          quoted(version),
        ),
      ]
    : [];
}

const hasEnded = ({ endOfLife }: KubernetesRelease, today: Date) => endOfLife < today.toISOString().slice(0, 10);

const advice = (path: Path, message: string | undefined, version: string): readonly RuleFinding[] =>
  message === undefined ? [] : [finding(path, message, quoted(version))];

function checkGates(spec: Spec): readonly RuleFinding[] {
  const { version } = spec.kubernetes;
  const { major, minor } = toVersion(version);
  if (major !== 1) return [];
  return gatesIn(spec).flatMap(([name, path]) => {
    const state = gateState(name, minor);
    const got = path.at(-1) === name ? undefined : quoted(name);
    switch (state.type) {
      case 'available':
      case 'not-recorded':
        return [];
      case 'removed':
        return [
          finding(
            path,
            `was removed in Kubernetes ${state.since}, and the version is ${version}; remove this feature gate`,
            got,
          ),
        ];
      case 'not-yet':
        return [finding(path, `was added in Kubernetes ${state.since}, but the version is ${version}`, got)];
      case 'unknown':
        return [
          {
            ...finding(path, `is not a feature gate of Kubernetes 1.${minor}`, got),
            ...near(nearest(name, gatesOf(minor))),
          },
        ];
    }
  });
}

/**
 * Returns the feature gates from all four places where they can be set. An unknown gate prevents the component from
 * starting.
 */
function gatesIn({ kubernetes }: Spec): readonly (readonly [name: string, path: Path])[] {
  const inMap = (gates: unknown, path: Path) =>
    typeof gates === 'object' && gates !== null
      ? Object.keys(gates).map((name) => [name, [...path, name]] as const)
      : [];
  return [
    ...skipInvalid(() => inMap(kubernetes.featureGates, ['kubernetes', 'featureGates'])),
    ...eachValid(['kubeletConfiguration', 'kubeProxyConfiguration'] as const, (field) =>
      inMap(kubernetes[field]['featureGates'], ['kubernetes', field, 'featureGates']),
    ),
    ...eachValid(components, (component) =>
      (kubernetes[component].extraArgs['feature-gates'] ?? '')
        .split(',')
        .map((gate) => gate.split('=')[0]!.trim())
        .filter(Boolean)
        .map((name) => [name, ['kubernetes', component, 'extraArgs', 'feature-gates']] as const),
    ),
  ];
}

function checkRuntime({ kubernetes: { version, containerRuntime } }: Spec): readonly RuleFinding[] {
  const { type, version: runtime } = containerRuntime;
  const path = ['kubernetes', 'containerRuntime', 'version'];
  const { newestKubernetes } = CONTAINER_RUNTIMES[type];
  if (minorOf(version) > newestKubernetes)
    return [
      finding(
        ['kubernetes', 'containerRuntime', 'type'],
        `supports the CRI only up to Kubernetes 1.${newestKubernetes}, but the version is ${version}`,
        quoted(type),
      ),
    ];
  if (runtime === undefined) return [];
  if (type === 'cri-o') return advice(path, crioAdvice(version, runtime), runtime);
  const problem = type === 'containerd' ? containerdAdvice(version, runtime) : undefined;
  return problem ? [{ ...finding(path, problem.message, quoted(runtime)), allowed: problem.allowed }] : [];
}

import { containerdAdvice, crioAdvice, etcdAdvice, networkAdvice } from '../model/compatibility.ts';
import { removedFlags } from '../data/compatibility.ts';
import { kubernetesReleases, type KubernetesRelease } from '../data/kubernetes-releases.ts';
import { gatesOf, gateState } from '../model/feature-gate.ts';
import { quoted } from '../load/issues.ts';
import { nearest } from '../load/nearest.ts';
import type { Spec } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';
import { minorOf, toVersion } from '../model/version.ts';
import { finding, near, type Rule, type RuleFinding } from './rule.ts';

const VERSION = ['kubernetes', 'version'];
const components = ['apiserver', 'controllerManager', 'scheduler', 'kubelet', 'kubeProxy'] as const;

const argsOf = components.map((name) => `kubernetes.${name}`);

export const versionRules: readonly Rule[] = [
  {
    id: 'kubernetes-for-kubeadm',
    severity: 'warning',
    about: 'Patches of kubeadm and checks that it leaves out belong to Kubernetes of type kubeadm.',
    reads: ['kubernetes.type', 'kubernetes.patches', 'kubernetes.ignorePreflightErrors'],
    check: ({ kubernetes: { type, patches, ignorePreflightErrors } }) => {
      if (type === 'kubeadm') return [];
      const unused = (field: string, value: string) =>
        finding(['kubernetes', field], `does not count, because spec.kubernetes.type is ${type}`, quoted(value));
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
    about: 'The Kubernetes version is one that exists and that kubexm knows.',
    reads: ['kubernetes.version'],
    check: checkKnown,
  },
  {
    id: 'kubernetes-version-maintained',
    severity: 'warning',
    about: 'The Kubernetes minor still gets fixes.',
    reads: ['kubernetes.version'],
    check: ({ kubernetes: { version } }, today) => {
      const release = kubernetesReleases.find(({ minor }) => minor === minorOf(version));
      return release && hasEnded(release, today)
        ? [finding(VERSION, `is of a release that gets no fixes since ${release.endOfLife}`, quoted(version))]
        : [];
    },
  },
  {
    id: 'feature-gate',
    severity: 'error',
    about: 'Each feature gate exists in the Kubernetes release; a component that meets another one does not start.',
    reads: [
      'kubernetes.version',
      'kubernetes.featureGates',
      'kubernetes.kubeletConfiguration',
      'kubernetes.kubeProxyConfiguration',
      ...argsOf,
    ],
    check: checkGates,
  },
  {
    id: 'flag-removed',
    severity: 'error',
    about: 'No extra flag is one that the component dropped before this release.',
    reads: ['kubernetes.version', ...argsOf],
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
    id: 'runtime-from-packages',
    severity: 'error',
    about: 'containerd comes from the files of its makers; docker and cri-o may come from packages.',
    reads: ['kubernetes.containerRuntime'],
    check: ({ kubernetes: { containerRuntime } }) =>
      containerRuntime.type === 'containerd' && containerRuntime.from === 'packages'
        ? [
            {
              ...finding(['kubernetes', 'containerRuntime', 'from'], 'is not for containerd', '"packages"'),
              allowed: ['release'],
            },
          ]
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
    check: ({ kubernetes, network: { plugin, version } }) =>
      version === undefined
        ? []
        : advice(['network', 'version'], networkAdvice(plugin, kubernetes.version, version), version),
  },
  {
    id: 'etcd-version',
    severity: 'warning',
    about: 'etcd is new enough for the Kubernetes release.',
    reads: ['kubernetes.version', 'etcd.version'],
    check: ({ kubernetes, etcd: { version } }) =>
      version === undefined ? [] : advice(['etcd', 'version'], etcdAdvice(kubernetes.version, version), version),
  },
];

function checkKnown({ kubernetes: { version } }: Spec, today: Date): readonly RuleFinding[] {
  const { major, minor, patch } = toVersion(version);
  const release = kubernetesReleases.find((each) => major === 1 && each.minor === minor);
  const range = `1.${kubernetesReleases[0]!.minor} to 1.${kubernetesReleases.at(-1)!.minor}`;
  if (release === undefined) {
    return [finding(VERSION, `is not among the releases that are known, ${range}; it is not tested`, quoted(version))];
  }
  return hasEnded(release, today) && patch > release.lastPatch
    ? [
        finding(
          VERSION,
          `is later than the last patch of that release, 1.${minor}.${release.lastPatch}`,
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

/** Gates may stand in four places, and a wrong one ends the component in each of them. */
function gatesIn({ kubernetes }: Spec): readonly (readonly [name: string, path: Path])[] {
  const inMap = (gates: unknown, path: Path) =>
    typeof gates === 'object' && gates !== null
      ? Object.keys(gates).map((name) => [name, [...path, name]] as const)
      : [];
  const inFlag = (component: (typeof components)[number]) =>
    (kubernetes[component].extraArgs['feature-gates'] ?? '')
      .split(',')
      .map((gate) => gate.split('=')[0]!.trim())
      .filter(Boolean)
      .map((name) => [name, ['kubernetes', component, 'extraArgs', 'feature-gates']] as const);
  return [
    ...inMap(kubernetes.featureGates, ['kubernetes', 'featureGates']),
    ...inMap(kubernetes.kubeletConfiguration['featureGates'], ['kubernetes', 'kubeletConfiguration', 'featureGates']),
    ...inMap(kubernetes.kubeProxyConfiguration['featureGates'], [
      'kubernetes',
      'kubeProxyConfiguration',
      'featureGates',
    ]),
    ...components.flatMap(inFlag),
  ];
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
  if (type === 'cri-o') return advice(path, crioAdvice(version, runtime), runtime);
  const misfit = type === 'containerd' ? containerdAdvice(version, runtime) : undefined;
  return misfit ? [{ ...finding(path, misfit.message, quoted(runtime)), allowed: misfit.allowed }] : [];
}

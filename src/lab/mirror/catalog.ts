import { fail } from '../../common/errors/errors.ts';
import type { Component } from './component.ts';
import { agnhost } from './component/agnhost.ts';
import { calico } from './component/calico.ts';
import { cniPlugins } from './component/cni-plugins.ts';
import { containerd } from './component/containerd.ts';
import { coredns } from './component/coredns.ts';
import { crictl } from './component/crictl.ts';
import { busybox, haproxy, nginx, runc, userland } from './component/debian.ts';
import { e2e } from './component/e2e.ts';
import { etcd } from './component/etcd.ts';
import { flannel } from './component/flannel.ts';
import { helm } from './component/helm.ts';
import { kubernetes } from './component/kubernetes.ts';
import { localPath } from './component/local-path.ts';
import { metricsServer } from './component/metrics-server.ts';
import { pause } from './component/pause.ts';
import { registry } from './component/registry.ts';
import { localArch } from './build-context.ts';

/** The components of a mirror in build order: small ones first, so that setup problems show up early. */
export function componentsFor(selection: MirrorSelection): readonly Component[] {
  const versions = selection.versions.map(checkVersion);
  const all = allComponents(versions);
  const known = [...new Set(all.map(({ name }) => name))];
  const unknown = selection.components.find((name) => !known.includes(name));
  if (unknown !== undefined) throw fail('LAB_COMPONENT_UNKNOWN', { component: unknown, known: known.join(', ') });
  const chosen = all.filter(({ name }) =>
    selection.components.length === 0 ? !OPT_IN.has(name) : selection.components.includes(name),
  );
  const base = chosen.some(needsUserland) ? all.filter(({ name }) => name === 'userland') : [];
  return [...new Set([...base, ...chosen])];
}

/** The components to build into a mirror. */
export interface MirrorSelection {
  /** Kubernetes versions: 1.34.4 or v1.34.4. */
  readonly versions: readonly string[];
  /** Component names; if empty, everything a cluster needs. */
  readonly components: readonly string[];
}

/** Kubernetes versions whose Go modules are all published. */
export const DEFAULT_VERSIONS = ['1.34.4', '1.35.4', '1.36.3'];

/** Components that most clusters do not need and that take long to build: built only if named. */
const OPT_IN = new Set(['agnhost', 'calico', 'e2e', 'local-path-provisioner', 'metrics-server']);

function allComponents(versions: readonly string[]): readonly Component[] {
  const arch = localArch();
  const releases = versions.map((version) => companionsOf(version));
  const distinct = <K extends keyof Companions>(key: K) => [...new Set(releases.map((release) => release[key]))];
  return [
    userland(),
    runc(arch),
    pause(allTags('pause')),
    haproxy(['3.2.19-alpine']),
    nginx(['1.30.1-alpine']),
    busybox(['1.37.0']),
    cniPlugins('v1.9.1', arch),
    ...distinct('crictl').map((version) => crictl(version, arch)),
    ...distinct('etcd').map((version) => etcd(version, [...etcdTags(version), `${version.slice(1)}-0`], arch)),
    containerd('v2.2.9', arch),
    registry('v3.1.2', arch),
    flannel('v0.26.7'),
    calico('v3.31.0'),
    ...distinct('coredns').map((version) => coredns(version)),
    helm('v3.22.0', arch),
    localPath('v0.0.30'),
    metricsServer('v0.9.0'),
    ...versions.map((version) => kubernetes(version, arch)),
    agnhost('2.63.0', 'v1.36.3', AGNHOST_TAGS),
    ...versions.map((version) => e2e(version, arch)),
  ];
}

/** The tags used by the e2e tests of all minors, including the older ones that some tests update from. */
const AGNHOST_TAGS = ['2.53', '2.55', '2.56', '2.59', '2.63.0'];

/** The tags of all known minors, so that building one version never drops the tags of another. */
const allTags = (key: 'pause' | 'etcdTag') => [...new Set(Object.values(COMPANIONS).map((one) => one[key]))];

/** All tags of the same etcd minor; one build serves them all. */
const etcdTags = (version: string) => allTags('etcdTag').filter((tag) => tag.startsWith(version.slice(1, 5)));

const needsUserland = ({ images }: Component) =>
  images.some(({ layers }) => layers.some(({ type }) => type === 'userland'));

/** The versions that kubeadm of one minor expects besides Kubernetes itself. */
interface Companions {
  readonly pause: string;
  readonly coredns: string;
  /** The etcd release to build. */
  readonly etcd: string;
  /** The etcd image tag that kubeadm pulls. */
  readonly etcdTag: string;
  readonly crictl: string;
}

const COMPANIONS: Readonly<Record<string, Omit<Companions, 'crictl'>>> = {
  '1.33': { pause: '3.10', coredns: 'v1.12.0', etcd: 'v3.5.35', etcdTag: '3.5.24-0' },
  '1.34': { pause: '3.10.1', coredns: 'v1.12.1', etcd: 'v3.6.16', etcdTag: '3.6.5-0' },
  '1.35': { pause: '3.10.1', coredns: 'v1.13.1', etcd: 'v3.6.16', etcdTag: '3.6.6-0' },
  '1.36': { pause: '3.10.2', coredns: 'v1.14.2', etcd: 'v3.6.16', etcdTag: '3.6.8-0' },
};

const minorOf = (version: string) => /^v(1\.\d+)\./.exec(version)?.[1] ?? '';

function companionsOf(version: string): Companions {
  const found = COMPANIONS[minorOf(version)];
  if (!found) throw versionError(version);
  return { ...found, crictl: `v${minorOf(version)}.0` };
}

function checkVersion(given: string): string {
  const version = given.startsWith('v') ? given : `v${given}`;
  if (!/^v1\.\d+\.\d+$/.test(version) || !(minorOf(version) in COMPANIONS)) throw versionError(given);
  return version;
}

const versionError = (value: string) =>
  fail('LAB_OPTION_INVALID', {
    option: '--versions',
    value,
    wanted: `a Kubernetes version from ${Object.keys(COMPANIONS).join(', ')}, such as ${DEFAULT_VERSIONS[0]}`,
  });

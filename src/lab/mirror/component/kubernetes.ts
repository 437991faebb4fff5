import type { GoBuild } from '../go/build.ts';
import { kubernetesMain } from '../go/kubernetes-main.ts';
import type { Component, ImageSpec, LayerSpec } from '../component.ts';
import { program, sidecar } from '../component.ts';
import type { Arch } from '../making.ts';

/** Kubernetes: one program that is seven, by the name it is called. */
export function kubernetes(version: string, arch: Arch): Component {
  const programs: LayerSpec = {
    type: 'entries',
    entries: [
      program('usr/local/bin/kubernetes', 'kubernetes'),
      ...PROGRAMS.map((name) => ({ type: 'link', path: `usr/local/bin/${name}`, to: 'kubernetes' }) as const),
    ],
  };
  const { require, variables } = kubernetesBuild(version);
  const sources = { 'main.go': kubernetesMain(Number(version.split('.')[1])) };
  return {
    name: 'kubernetes',
    version,
    source: { type: 'go', builds: [{ require, sources, variables, programs: { kubernetes: '.' } }] },
    files: PROGRAMS.map((name) => {
      const url = `dl.k8s.io/release/${version}/bin/linux/${arch}/${name}`;
      return { url, content: { type: 'piece', piece: 'kubernetes' }, sums: sidecar(url, '.sha256', 'bare') };
    }),
    images: IMAGES.map((name) => imageOf(name, version, programs)),
  };
}

const IMAGES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'];
const PROGRAMS = ['kubeadm', 'kubelet', 'kubectl', ...IMAGES];

// The programs first: hosts unpack that layer once for all four, which share it as their lowest.
const imageOf = (name: string, version: string, programs: LayerSpec): ImageSpec => ({
  names: [`registry.k8s.io/${name}:${version}`],
  layers: name === 'kube-proxy' ? [programs, { type: 'userland' }] : [programs],
  config: { entrypoint: [`/usr/local/bin/${name}`] },
});

/** What a module of ours requires and sets at link time to build programs of a release of Kubernetes. */
export function kubernetesBuild(version: string): Required<Pick<GoBuild, 'require' | 'variables'>> {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
    gitCommit: '0'.repeat(40),
    buildDate: '2026-01-01T00:00:00Z',
  };
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  return {
    require: { 'k8s.io/kubernetes': version },
    variables: Object.fromEntries(
      packages.flatMap((at) => Object.entries(values).map(([name, value]) => [`${at}.${name}`, value])),
    ),
  };
}

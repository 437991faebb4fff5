import type { GoBuild } from '../go/build.ts';
import { kubernetesMain } from '../go/kubernetes-main.ts';
import type { Component, ImageSpec, LayerSpec } from '../component.ts';
import { program, sidecar } from '../component.ts';
import type { Arch } from '../build-context.ts';

/** Kubernetes: one binary that acts as any of seven programs, depending on the name it is called by. */
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

// The programs are the lowest layer of all four images, so hosts unpack it only once.
const imageOf = (name: string, version: string, programs: LayerSpec): ImageSpec => ({
  names: [`registry.k8s.io/${name}:${version}`],
  layers: name === 'kube-proxy' ? [programs, { type: 'userland' }] : [programs],
  config: { entrypoint: [`/usr/local/bin/${name}`] },
});

/** The module requirement and link-time variables for building programs of a Kubernetes release. */
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
      packages.flatMap((path) => Object.entries(values).map(([name, value]) => [`${path}.${name}`, value])),
    ),
  };
}

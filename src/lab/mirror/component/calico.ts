import { program, type Component, type PieceEntry } from '../component.ts';
import type { GoBuild } from '../go/build.ts';

/** Calico: its node agent, CNI plugin and controllers, and its manifest. */
export function calico(version: string): Component {
  return {
    name: 'calico',
    version,
    source: { type: 'go', builds: builds(version) },
    beside: {
      type: 'several',
      sources: [
        { type: 'debian', packages: ['runit', 'debianutils'], aboveUserland: true },
        { type: 'go', builds: [{ require: { [MODULE]: RELEASE }, programs: {}, sums: SUMS, carried: CARRIED }] },
      ],
    },
    files: [
      {
        url: `${MODULE}/raw/${version}/manifests/calico.yaml`,
        content: { type: 'piece', piece: 'manifests/calico.yaml' },
      },
    ],
    images: [
      {
        names: [`quay.io/calico/node:${version}`],
        layers: [{ type: 'userland' }, { type: 'entries', entries: NODE }],
        config: { command: ['start_runit'], env: NODE_ENV },
      },
      {
        names: [`quay.io/calico/cni:${version}`],
        layers: [
          {
            type: 'entries',
            entries: ['calico', 'calico-ipam', 'install'].map((name) =>
              program(`opt/cni/bin/${name}`, name === 'install' ? name : 'calico'),
            ),
          },
        ],
        config: { command: ['/opt/cni/bin/install'], folder: '/opt/cni/bin' },
      },
      {
        names: [`quay.io/calico/kube-controllers:${version}`],
        layers: [{ type: 'entries', entries: CONTROLLERS }],
        config: { entrypoint: ['/usr/bin/wrapper', '/usr/bin/kube-controllers'], user: '999' },
      },
    ],
  };
}

const MODULE = 'github.com/projectcalico/calico';

/** The commit of the tag, because tags of Calico are not valid module versions. */
const COMMIT = 'b1f3c43f8437';
const RELEASE = `v0.0.0-20251021213802-${COMMIT}`;
const API = 'v0.0.0-20251022175904-f2ab03771208';

const SUMS = [
  `github.com/projectcalico/api ${API} h1:ltTWo/cCc/8pEpzmlzIjt6r2383x2XDPkuBcd/9kE3k=`,
  `github.com/projectcalico/api ${API}/go.mod h1:0+91//9pw8kMOyWwG1egVY9a9y43kVTLZfiEF1l5IQc=`,
  `${MODULE} ${RELEASE} h1:PbLe6D0Yis8ce4F+o/Dmlrv4Her2ZN6ns8rmlZoFoEY=`,
  `${MODULE} ${RELEASE}/go.mod h1:HPgBjvttb5ao4PdYZJOQ2H9G71fnWOUM1CRAPPOUyc0=`,
  `${MODULE}/lib/std ${RELEASE} h1:iLY3Uzt4pVX3jpS9Wt+mxakq1nfzN/32t6YZK9n7p/U=`,
  `${MODULE}/lib/std ${RELEASE}/go.mod h1:CjRtnCtQlXAxROAfoVztMfaBDWFqpuZmWM9EfBkcj8c=`,
];

function builds(version: string): readonly GoBuild[] {
  const common = {
    // The Kubernetes version that Calico itself is built with; its libraries are replaced accordingly.
    require: {
      [MODULE]: RELEASE,
      [`${MODULE}/lib/std`]: RELEASE,
      'github.com/projectcalico/api': API,
      'k8s.io/kubernetes': 'v1.33.5',
    },
    sums: SUMS,
    exclude: [`${MODULE}/lib/httpmachinery v0.0.0-00010101000000-000000000000`],
    replace: [
      `${MODULE}/lib/std => ${MODULE}/lib/std ${RELEASE}`,
      'gopkg.in/natefinch/lumberjack.v2 => gopkg.in/natefinch/lumberjack.v2 v2.0.0',
    ],
    variables: {
      [`${MODULE}/pkg/buildinfo.Version`]: version,
      [`${MODULE}/pkg/buildinfo.GitRevision`]: COMMIT,
    },
  };
  const programs = {
    'calico-node': 'node/cmd/calico-node',
    calico: 'cni-plugin/cmd/calico',
    install: 'cni-plugin/cmd/install',
    'kube-controllers': 'kube-controllers/cmd/kube-controllers',
    'check-status': 'kube-controllers/cmd/check-status',
    wrapper: 'kube-controllers/cmd/wrapper',
  };
  return [
    { ...common, programs: inModule(programs) },
    { ...common, programs: inModule({ mountns: 'node/cmd/mountns' }), cgo: true },
  ];
}

const inModule = (packages: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(packages).map(([name, path]) => [name, `${MODULE}/${path}`]));

/** Parts of the node image that come with the source code. */
const CARRIED = Object.fromEntries(
  ['manifests/calico.yaml', 'node/filesystem', 'confd/etc/calico/confd'].map((path) => [
    path,
    { module: MODULE, path },
  ]),
);

const tree = (path: string, piece: string, mode: number): PieceEntry => ({ type: 'tree', path, piece, mode });

const NODE: readonly PieceEntry[] = [
  ...['runsvdir', 'runsv', 'sv', 'svlogd', 'chpst'].map((name) => program(`usr/bin/${name}`, `usr/bin/${name}`)),
  program('usr/bin/which', 'usr/bin/which.debianutils'),
  program('bin/calico-node', 'calico-node'),
  program('bin/mountns', 'mountns'),
  tree('etc', 'node/filesystem/etc', 0o755),
  tree('usr/sbin', 'node/filesystem/sbin', 0o755),
  tree('etc/calico/confd', 'confd/etc/calico/confd', 0o644),
];

const NODE_ENV = {
  SVDIR: '/etc/service/enabled',
  // Built without libbpf: Felix must not clean up eBPF programs.
  FELIX_DebugSkipCTLBCleanup: 'true',
};

const CONTROLLERS: readonly PieceEntry[] = [
  ...['kube-controllers', 'check-status', 'wrapper'].map((name) => program(`usr/bin/${name}`, name)),
  { type: 'text', path: 'status/status.json', text: '', mode: 0o666 },
  { type: 'folder', path: 'profiles', mode: 0o777 },
];

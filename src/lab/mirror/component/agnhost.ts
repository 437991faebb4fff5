import type { Component, LayerSpec, PieceEntry } from '../component.ts';
import { applets, COMMON_APPLETS } from './debian.ts';
import { TOOLS } from '../debian/archives.ts';

/** The test server image of the Kubernetes e2e tests, with Debian tools instead of upstream's Alpine tools. */
export function agnhost(version: string, kubernetes: string, tags: readonly string[]): Component {
  const module = 'k8s.io/kubernetes';
  const at = 'test/images/agnhost';
  const keys = ['localhost.crt', 'localhost.key'].map((name) => [name, { module, path: `${at}/porter/${name}` }]);
  return {
    name: 'agnhost',
    version,
    source: {
      type: 'several',
      sources: [
        { type: 'debian', packages: TOOLS, aboveUserland: true },
        {
          type: 'go',
          builds: [
            {
              require: { [module]: kubernetes },
              programs: { agnhost: `${module}/${at}` },
              carried: Object.fromEntries(keys),
            },
          ],
        },
      ],
    },
    files: [],
    images: [
      {
        names: tags.map((tag) => `registry.k8s.io/e2e-test-images/agnhost:${tag}`),
        layers: LAYERS,
        config: { entrypoint: ['/agnhost'], command: ['pause'] },
      },
      // The tests only need dig, and getent from glibc.
      {
        names: DNS_IMAGES.map((name) => `registry.k8s.io/e2e-test-images/${name}`),
        layers: LAYERS,
        config: { command: ['sh'] },
      },
    ],
  };
}

const DNS_IMAGES = ['glibc-dns-testing:2.0.0', 'jessie-dnsutils:1.7'];

// One e2e test checks the groups of a user that is defined only in the image.
const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nuser-defined-in-image:x:1000:1000::/tmp:/bin/sh\n';
const GROUP = 'root:x:0:\nuser-defined-in-image:x:1000:\ngroup-defined-in-image:x:50000:user-defined-in-image\n';

const text = (path: string, content: string): PieceEntry => ({ type: 'text', path, text: content, mode: 0o644 });

const LAYERS: readonly LayerSpec[] = [
  { type: 'userland' },
  {
    type: 'entries',
    entries: [
      { type: 'all' },
      ...applets(COMMON_APPLETS),
      { type: 'link', path: 'agnhost-2', to: 'agnhost' },
      { type: 'link', path: 'bin/nc', to: 'nc.openbsd' },
      { type: 'folder', path: 'uploads', mode: 0o755 },
      text('etc/passwd', PASSWD),
      text('etc/group', GROUP),
    ],
  },
];

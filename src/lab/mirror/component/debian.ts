import { sidecar, type Component, type PieceEntry } from '../component.ts';
import { USERLAND } from '../debian/archives.ts';
import type { Arch } from '../build-context.ts';

/** runc from Debian. */
export function runc(arch: Arch): Component {
  const version = 'v1.1.5';
  const release = `github.com/opencontainers/runc/releases/download/${version}`;
  return {
    name: 'runc',
    version,
    source: { type: 'debian', packages: ['runc'], aboveUserland: true },
    files: [
      {
        url: `${release}/runc.${arch}`,
        content: { type: 'piece', piece: 'usr/sbin/runc' },
        sums: sidecar(`${release}/runc`, '.sha256sum', 'named'),
      },
    ],
    images: [],
  };
}

/** The shared layer of images that need a shell or iptables. Not used as an image itself. */
export const userland = (): Component => ({
  name: 'userland',
  version: 'bookworm',
  source: { type: 'debian', packages: USERLAND, aboveUserland: false },
  files: [],
  images: [
    {
      names: ['kubexm.lab/userland:bookworm'],
      layers: [{ type: 'entries', entries: [{ type: 'all' }, ...ACCOUNTS, ...IPTABLES] }],
      config: { entrypoint: ['/bin/sh'] },
    },
  ],
});

/** HAProxy from Debian, under the name of the official image. */
export const haproxy = (tags: readonly string[]): Component => ({
  name: 'haproxy',
  version: '2.6.12',
  source: { type: 'debian', packages: ['haproxy'], aboveUserland: true },
  files: [],
  images: [
    {
      names: ['2.6.12', ...tags].map((tag) => `docker.io/library/haproxy:${tag}`),
      layers: [
        { type: 'userland' },
        {
          type: 'entries',
          entries: [
            { type: 'all' },
            script('usr/local/bin/docker-entrypoint.sh', HAPROXY_ENTRY),
            { type: 'folder', path: 'usr/local/etc/haproxy', mode: 0o755 },
            { type: 'folder', path: 'var/lib/haproxy', mode: 0o777 },
          ],
        },
      ],
      config: {
        entrypoint: ['docker-entrypoint.sh'],
        command: ['haproxy', '-f', '/usr/local/etc/haproxy/haproxy.cfg'],
        user: '99:99',
        folder: '/var/lib/haproxy',
      },
    },
  ],
});

/** nginx from Debian, under the names of the official image and of the Kubernetes e2e test image. */
export const nginx = (tags: readonly string[]): Component => ({
  name: 'nginx',
  version: '1.22.1',
  source: { type: 'debian', packages: ['nginx', 'libnginx-mod-stream'], aboveUserland: true },
  files: [],
  images: [
    {
      names: [
        ...['1.22.1', ...tags].map((tag) => `docker.io/library/nginx:${tag}`),
        ...['1.14-4', '1.15-4', '1.27-0'].map((tag) => `registry.k8s.io/e2e-test-images/nginx:${tag}`),
      ],
      layers: [
        { type: 'userland' },
        {
          type: 'entries',
          entries: [
            { type: 'all' },
            script('usr/local/sbin/nginx', NGINX_ENTRY),
            { type: 'folder', path: 'var/log/nginx', mode: 0o755 },
            { type: 'folder', path: 'var/cache/nginx', mode: 0o755 },
            { type: 'folder', path: 'var/lib/nginx', mode: 0o755 },
          ],
        },
      ],
      config: { command: ['nginx', '-g', 'daemon off;'] },
    },
  ],
});

/** busybox from Debian on top of the userland. It is dynamically linked, because static glibc cannot resolve names. */
export const busybox = (tags: readonly string[]): Component => ({
  name: 'busybox',
  version: '1.35.0',
  source: { type: 'debian', packages: ['busybox'], aboveUserland: true },
  files: [],
  images: [
    {
      names: [
        ...['1.35.0', ...tags].map((tag) => `docker.io/library/busybox:${tag}`),
        ...['1.36.1-1', '1.37.0-1'].map((tag) => `registry.k8s.io/e2e-test-images/busybox:${tag}`),
      ],
      layers: [
        { type: 'userland' },
        {
          type: 'entries',
          entries: [
            { type: 'all' },
            ...applets([...COMMON_APPLETS, 'hostname', 'httpd', 'ip', 'nc', 'nslookup', 'tar', 'vi']),
          ],
        },
      ],
      config: { command: ['sh'] },
    },
  ],
});

/** Links to busybox. Includes sh: unlike dash, it supports [[ and passes on environment variables with any name. */
export const applets = (names: readonly string[]): readonly PieceEntry[] =>
  ['sh', ...names].map((name) => ({ type: 'link', path: `bin/${name}`, to: 'busybox' }) as const);

/** Applets that are useful for debugging in any container. */
export const COMMON_APPLETS =
  'awk diff find hexdump killall mount netstat pidof ping ps sysctl top umount wget which xargs'.split(' ');

const script = (path: string, text: string): PieceEntry => ({ type: 'text', path, text, mode: 0o755 });
const text = (path: string, content: string): PieceEntry => ({ type: 'text', path, text: content, mode: 0o644 });

// Packages are only unpacked, so the files that their installation scripts would write are added here.
const ACCOUNTS: readonly PieceEntry[] = [
  text(
    'etc/passwd',
    [
      'root:x:0:0:root:/root:/bin/sh',
      'www-data:x:33:33::/var/www:/bin/false',
      'haproxy:x:99:99::/var/lib/haproxy:/bin/false',
      'nginx:x:101:101::/nonexistent:/bin/false',
      'nobody:x:65534:65534:nobody:/nonexistent:/bin/false',
      '',
    ].join('\n'),
  ),
  text('etc/group', 'root:x:0:\nadm:x:4:\nwww-data:x:33:\nhaproxy:x:99:\nnginx:x:101:\nnogroup:x:65534:\n'),
  text('etc/nsswitch.conf', 'hosts: files dns\n'),
  ...['root', 'run', 'var/run', 'etc/ssl/certs'].map((path) => ({ type: 'folder', path, mode: 0o755 }) as const),
  { type: 'folder', path: 'tmp', mode: 0o1777 },
];

const IPTABLES: readonly PieceEntry[] = ['iptables', 'ip6tables'].flatMap((name) =>
  ['', '-save', '-restore'].map(
    (suffix) => ({ type: 'link', path: `usr/sbin/${name}${suffix}`, to: 'xtables-nft-multi' }) as const,
  ),
);

const HAPROXY_ENTRY = `#!/bin/sh
# As the official image does: flags alone are flags of haproxy, which stays in the foreground and watches its workers.
set -e
[ "\${1#-}" = "\${1:-}" ] || set -- haproxy "$@"
if [ "\${1:-}" = haproxy ]; then
  shift
  set -- haproxy -W -db "$@"
fi
exec "$@"
`;

const NGINX_ENTRY = `#!/bin/sh
# Debian has the stream module as a file, where the official image has it built in.
globals='load_module /usr/lib/nginx/modules/ngx_stream_module.so;'
count=$#
while [ "$count" -gt 0 ]; do
  if [ "$1" = -g ] && [ "$count" -gt 1 ]; then
    globals="$globals $2"
    shift 2
    count=$((count - 2))
  else
    set -- "$@" "$1"
    shift
    count=$((count - 1))
  fi
done
exec /usr/sbin/nginx -g "$globals" "$@"
`;

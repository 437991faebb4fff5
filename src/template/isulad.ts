export interface IsuladOptions {
  readonly root: string;
  readonly sandboxImage: string;
  /** Mirrors of Docker Hub in order of preference. */
  readonly mirrors: readonly string[];
  readonly insecure: readonly string[];
}

/** Paths and unit of iSulad. The unit is part of its package. */
export const ISULAD = {
  program: '/usr/bin/isulad',
  config: '/etc/isulad/daemon.json',
  certs: '/etc/isulad/certs.d',
  root: '/var/lib/isulad',
  state: '/var/run/isulad',
  socket: '/var/run/isulad.sock',
  unit: 'isulad.service',
} as const;

/** The text of daemon.json. It has no header line, because JSON has no comments. */
export const isuladConfig = ({ root, sandboxImage, mirrors, insecure }: IsuladOptions): string =>
  `${JSON.stringify(
    {
      group: 'isula',
      'default-runtime': 'runc',
      graph: root,
      state: ISULAD.state,
      'log-level': 'WARN',
      'log-driver': 'stdout',
      'image-layer-check': false,
      'storage-driver': 'overlay2',
      'storage-opts': ['overlay2.override_kernel_check=true'],
      'registry-mirrors': mirrors,
      'insecure-registries': insecure,
      'pod-sandbox-image': sandboxImage,
      'network-plugin': 'cni',
      'cni-bin-dir': '/opt/cni/bin',
      'cni-conf-dir': '/etc/cni/net.d',
      'systemd-cgroup': true,
      'enable-cri-v1': true,
      'native.umask': 'secure',
      hosts: [`unix://${ISULAD.socket}`],
    },
    null,
    2,
  )}\n`;

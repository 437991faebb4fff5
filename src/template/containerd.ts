import { stringify } from 'smol-toml';
import { managedTomlValue } from './managed-toml.ts';
import { systemdUnit } from './systemd-unit.ts';

export interface ContainerdOptions {
  /** "2.2.9" */
  readonly version: string;
  readonly root: string;
  readonly sandboxImage: string;
  /** Folder of hosts.toml files. */
  readonly certsFolder: string;
  /** Credentials by registry host, for registries with token authentication. */
  readonly logins: Readonly<Record<string, { readonly username: string; readonly password: string }>>;
  /** The host cannot lower OOM scores, for example because it is a container. */
  readonly restricted: boolean;
}

/** The text of config.toml: version 3 for 2.x, version 2 for 1.x. */
export function containerdConfig(options: ContainerdOptions): string {
  const { root, restricted } = options;
  const [major = 0] = partsOf(options.version);
  const base = {
    version: major >= 2 ? 3 : 2,
    root,
    state: CONTAINERD.state,
    ...(restricted ? {} : { oom_score: -999 }),
    grpc: { address: CONTAINERD.socket },
    plugins: major >= 2 ? pluginsOf2(options) : pluginsOf1(options),
  };
  return `# Written by kubexm.\n${stringify(base)}`;
}

/** The data directory in a config.toml that kubexm wrote. */
export const containerdRoot = (text: string): string | undefined => managedTomlValue(text, 'root');

/** Paths and unit of containerd. */
export const CONTAINERD = {
  program: '/usr/local/bin/containerd',
  config: '/etc/containerd/config.toml',
  certs: '/etc/containerd/certs.d',
  root: '/var/lib/containerd',
  state: '/run/containerd',
  socket: '/run/containerd/containerd.sock',
  unit: 'containerd.service',
  unitFile: '/etc/systemd/system/containerd.service',
  cniPrograms: '/opt/cni/bin',
  cniConfig: '/etc/cni/net.d',
} as const;

function pluginsOf2(options: ContainerdOptions) {
  const [, minor = 0] = partsOf(options.version);
  const { cniPrograms, cniConfig } = CONTAINERD;
  return {
    'io.containerd.cri.v1.images': {
      pinned_images: { sandbox: options.sandboxImage },
      registry: registryOf(options),
    },
    'io.containerd.cri.v1.runtime': {
      ...(options.restricted && { restrict_oom_score_adj: true }),
      cni: { ...(minor >= 1 ? { bin_dirs: [cniPrograms] } : { bin_dir: cniPrograms }), conf_dir: cniConfig },
      containerd: RUNTIMES,
    },
  };
}

const pluginsOf1 = (options: ContainerdOptions) => ({
  'io.containerd.grpc.v1.cri': {
    sandbox_image: options.sandboxImage,
    ...(options.restricted && { restrict_oom_score_adj: true }),
    cni: { bin_dir: CONTAINERD.cniPrograms, conf_dir: CONTAINERD.cniConfig },
    containerd: RUNTIMES,
    registry: registryOf(options),
  },
});

const RUNTIMES = {
  default_runtime_name: 'runc',
  runtimes: { runc: { runtime_type: 'io.containerd.runc.v2', options: { SystemdCgroup: true } } },
};

// containerd 2.4 removed `configs`. Basic authentication also works through hosts.toml.
function registryOf({ version, certsFolder, logins }: ContainerdOptions) {
  const [major = 0, minor = 0] = partsOf(version);
  const entries = major > 2 || (major === 2 && minor >= 4) ? [] : Object.entries(logins);
  const configs = Object.fromEntries(entries.map(([host, auth]) => [host, { auth: { ...auth } }]));
  return { config_path: certsFolder, ...(entries.length > 0 && { configs }) };
}

const partsOf = (version: string) => version.split('.').map(Number);

/** The text of containerd.service. */
export const containerdUnit = ({ restricted }: Pick<ContainerdOptions, 'restricted'>): string =>
  systemdUnit({
    Unit: {
      Description: 'containerd container runtime',
      Documentation: 'https://containerd.io',
      After: 'network.target dbus.service local-fs.target',
    },
    Service: {
      ExecStartPre: '-/sbin/modprobe overlay',
      ExecStart: CONTAINERD.program,
      Type: 'notify',
      Delegate: 'yes',
      KillMode: 'process',
      Restart: 'always',
      RestartSec: 5,
      TasksMax: 'infinity',
      // The service does not start if it is not allowed to raise these limits.
      ...(!restricted && {
        LimitNPROC: 'infinity',
        LimitCORE: 'infinity',
        LimitNOFILE: 1_048_576,
        OOMScoreAdjust: -999,
      }),
    },
    Install: { WantedBy: 'multi-user.target' },
  });

import { stringify } from 'smol-toml';
import { managedTomlValue } from './managed-toml.ts';
import { systemdUnit } from './systemd-unit.ts';

export interface CrioOptions {
  readonly root: string;
  readonly sandboxImage: string;
  /** Installed from the release bundle, not from packages, which configure their own paths. */
  readonly bundled: boolean;
}

/** Paths and unit of CRI-O. */
export const CRIO = {
  program: '/usr/local/bin/crio',
  config: '/etc/crio/crio.conf.d/10-kubexm.conf',
  auth: '/etc/crio/auth.json',
  policy: '/etc/crio/policy.json',
  registries: '/etc/containers/registries.conf.d/10-kubexm.conf',
  certs: '/etc/containers/certs.d',
  root: '/var/lib/containers/storage',
  state: '/run/containers/storage',
  socket: '/var/run/crio/crio.sock',
  unit: 'crio.service',
  unitFile: '/etc/systemd/system/crio.service',
} as const;

/** The text of a crio.conf drop-in. */
export const crioConfig = ({ root, sandboxImage, bundled }: CrioOptions): string =>
  `# Written by kubexm.\n${stringify({
    crio: {
      root,
      runroot: CRIO.state,
      api: { listen: CRIO.socket },
      image: {
        pause_image: sandboxImage,
        signature_policy: CRIO.policy,
        global_auth_file: CRIO.auth,
      },
      network: { network_dir: '/etc/cni/net.d', plugin_dirs: ['/opt/cni/bin'] },
      runtime: {
        cgroup_manager: 'systemd',
        conmon_cgroup: 'pod',
        ...(bundled && {
          default_runtime: 'runc',
          runtimes: {
            runc: {
              runtime_path: '/usr/local/bin/runc',
              monitor_path: '/usr/local/bin/conmon',
              runtime_root: '/run/runc',
            },
          },
        }),
      },
    },
  })}`;

/** The data directory in a drop-in that kubexm wrote. */
export const crioRoot = (text: string): string | undefined => managedTomlValue(text, 'crio', 'root');

/** A registry and its mirrors in registries.conf. */
export interface CrioRegistry {
  /** "docker.io" */
  readonly prefix: string;
  /** Host name to connect to: "registry-1.docker.io". */
  readonly location: string;
  readonly insecure: boolean;
  readonly mirrors: readonly { readonly location: string; readonly insecure: boolean }[];
}

/** The text of a registries.conf drop-in. */
export const crioRegistries = (registries: readonly CrioRegistry[]): string =>
  `# Written by kubexm.\n${registries.length === 0 ? '' : stringify({ registry: registries.map(registryOf) })}`;

const registryOf = ({ prefix, location, insecure, mirrors }: CrioRegistry) => ({
  prefix,
  location,
  ...(insecure && { insecure }),
  ...(mirrors.length > 0 && {
    mirror: mirrors.map((mirror) => ({ location: mirror.location, ...(mirror.insecure && { insecure: true }) })),
  }),
});

/** The text of policy.json: unsigned images are accepted, as by the other container runtimes. */
export const crioPolicy = (): string =>
  `${JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }, null, 2)}\n`;

/** The text of crio.service. */
export const crioUnit = ({ restricted }: { readonly restricted: boolean }): string =>
  systemdUnit({
    Unit: {
      Description: 'cri-o container runtime',
      Documentation: 'https://cri-o.io',
      Wants: 'network-online.target',
      After: 'network-online.target',
    },
    Service: {
      Type: 'notify',
      Environment: 'PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin',
      ExecStart: CRIO.program,
      ExecReload: '/bin/kill -s HUP $MAINPID',
      TimeoutStartSec: 0,
      Restart: 'always',
      RestartSec: 5,
      TasksMax: 'infinity',
      ...(!restricted && {
        LimitNPROC: 1_048_576,
        LimitCORE: 'infinity',
        LimitNOFILE: 1_048_576,
        OOMScoreAdjust: -999,
      }),
    },
    Install: { WantedBy: 'multi-user.target' },
  });

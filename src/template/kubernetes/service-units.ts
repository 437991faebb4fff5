import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { commandLine, systemdUnit, type UnitSection } from '../systemd-unit.ts';
import { controlPlaneFlags, type ControlPlaneService } from './control-plane-flags.ts';
import { programOf, PROXY_CONFIG } from './paths.ts';

/** The sandboxed unit of a control plane component. */
export function controlPlaneUnit(service: ControlPlaneService, cluster: Cluster, host: ClusterHost): string {
  const { description, after, settings } = CONTROL_PLANE[service];
  return systemdUnit({
    Unit: unitSection(description, after),
    Service: {
      ...settings,
      ExecStart: commandLine(programOf(service), controlPlaneFlags(service, cluster, host)),
      ...RESTART,
      ...SANDBOX,
      CapabilityBoundingSet: service === 'kube-apiserver' && apiPort(cluster) < 1024 ? 'CAP_NET_BIND_SERVICE' : '',
    },
    Install,
  });
}

/** The unit of kube-proxy. It needs privileges to change netfilter rules and sysctls and to load kernel modules. */
export const kubeProxyUnit = ({ kubernetes }: Cluster, { name }: ClusterHost): string =>
  systemdUnit({
    Unit: unitSection('kube-proxy: the way to the services of Kubernetes'),
    Service: {
      ExecStart: commandLine(programOf('kube-proxy'), {
        config: PROXY_CONFIG,
        'hostname-override': name,
        ...kubernetes.kubeProxy.extraArgs,
      }),
      ...RESTART,
      NoNewPrivileges: 'true',
      ProtectHome: 'true',
      PrivateTmp: 'true',
      RestrictSUIDSGID: 'true',
      LockPersonality: 'true',
    },
    Install,
  });

const unitSection = (Description: string, after: readonly string[] = []): UnitSection => ({
  Description,
  Documentation: 'https://kubernetes.io/docs/',
  Wants: 'network-online.target',
  After: ['network-online.target', ...after].join(' '),
});

const Install: UnitSection = { WantedBy: 'multi-user.target' };

const CONTROL_PLANE: Readonly<
  Record<
    ControlPlaneService,
    { readonly description: string; readonly after: readonly string[]; readonly settings: UnitSection }
  >
> = {
  'kube-apiserver': {
    description: 'kube-apiserver: the API of Kubernetes',
    after: ['etcd.service'],
    // The API server notifies systemd when it is ready, and may write an audit log below /var. Open watches would delay its
    // stop by a minute, so it gets the grace period of a pod.
    settings: { Type: 'notify', TimeoutStartSec: 300, TimeoutStopSec: 30, ProtectSystem: 'full' },
  },
  'kube-controller-manager': {
    description: 'kube-controller-manager: the controllers of Kubernetes',
    after: ['kube-apiserver.service'],
    settings: { ProtectSystem: 'strict' },
  },
  'kube-scheduler': {
    description: 'kube-scheduler: the scheduler of Kubernetes',
    after: ['kube-apiserver.service'],
    settings: { ProtectSystem: 'strict' },
  },
};

const RESTART: UnitSection = { Restart: 'always', RestartSec: '5s', LimitNOFILE: 65_536 };

/** Runs as root without capabilities: only root may read the keys. */
const SANDBOX: UnitSection = {
  NoNewPrivileges: 'true',
  ProtectHome: 'true',
  PrivateTmp: 'true',
  PrivateDevices: 'true',
  ProtectControlGroups: 'true',
  ProtectKernelModules: 'true',
  ProtectKernelTunables: 'true',
  RestrictAddressFamilies: 'AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  RestrictNamespaces: 'true',
  RestrictRealtime: 'true',
  RestrictSUIDSGID: 'true',
  LockPersonality: 'true',
  SystemCallArchitectures: 'native',
};

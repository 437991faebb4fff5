import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { commandLine } from '../systemd-command.ts';
import { systemdUnit, type UnitSection } from '../systemd-unit.ts';
import { controlPlaneFlags, type ControlPlaneService } from './control-plane-flags.ts';
import { programOf, PROXY_CONFIG } from './paths.ts';

/** A part of the control plane as a service that sees no more of its host than it needs. */
export function controlPlaneUnit(service: ControlPlaneService, cluster: Cluster, host: ClusterHost): string {
  const { description, after, own } = PARTS[service];
  return systemdUnit({
    Unit: about(description, after),
    Service: {
      ...own,
      ExecStart: commandLine(programOf(service), controlPlaneFlags(service, cluster, host)),
      ...RESTART,
      ...SANDBOX,
      CapabilityBoundingSet: service === 'kube-apiserver' && apiPort(cluster) < 1024 ? 'CAP_NET_BIND_SERVICE' : '',
    },
    Install,
  });
}

/** kube-proxy as a service; it sets rules and settings of the kernel, and may load modules. */
export const kubeProxyUnit = ({ kubernetes }: Cluster, { name }: ClusterHost): string =>
  systemdUnit({
    Unit: about('kube-proxy: the way to the services of Kubernetes'),
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

const about = (Description: string, after: readonly string[] = []): UnitSection => ({
  Description,
  Documentation: 'https://kubernetes.io/docs/',
  Wants: 'network-online.target',
  After: ['network-online.target', ...after].join(' '),
});

const Install: UnitSection = { WantedBy: 'multi-user.target' };

const PARTS: Readonly<
  Record<
    ControlPlaneService,
    { readonly description: string; readonly after: readonly string[]; readonly own: UnitSection }
  >
> = {
  'kube-apiserver': {
    description: 'kube-apiserver: the API of Kubernetes',
    after: ['etcd.service'],
    // It says so itself when it is ready, and may be told to write its audit log somewhere in /var. Those who watch would
    // keep it from stopping for a minute; kubeadm's pods have as long as this.
    own: { Type: 'notify', TimeoutStartSec: 300, TimeoutStopSec: 30, ProtectSystem: 'full' },
  },
  'kube-controller-manager': {
    description: 'kube-controller-manager: the controllers of Kubernetes',
    after: ['kube-apiserver.service'],
    own: { ProtectSystem: 'strict' },
  },
  'kube-scheduler': {
    description: 'kube-scheduler: the scheduler of Kubernetes',
    after: ['kube-apiserver.service'],
    own: { ProtectSystem: 'strict' },
  },
};

const RESTART: UnitSection = { Restart: 'always', RestartSec: '5s', LimitNOFILE: 65_536 };

/** Files of root are read without any privilege: no other user may read keys. */
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

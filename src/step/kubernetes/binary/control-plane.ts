import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import type { Command } from '../../../runner/command.ts';
import { API_FILES } from '../../../template/kubernetes/apiserver-files.ts';
import { replacesKubeProxy } from '../../../template/kubeadm/cluster-configuration.ts';
import { controlPlaneFlags, type ControlPlaneService } from '../../../template/kubernetes/control-plane-flags.ts';
import {
  certificateAt,
  kubeconfigAt,
  programOf,
  SERVICE_ACCOUNT,
  type Service,
  unitFileOf,
} from '../../../template/kubernetes/paths.ts';
import { controlPlaneUnit } from '../../../template/kubernetes/service-units.ts';
import { localAddressFor } from '../../../util/address.ts';
import { clusterHost } from '../../contract/cluster-host.ts';
import { file } from '../../common/file.ts';
import { waitUntil } from '../../common/wait-until.ts';
import { configuredService } from '../../common/configured-service.ts';
import { ADMIN_CONF } from '../../kubernetes-object/kubectl.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { healthCheck } from './health-check.ts';

/** The control plane components in the order they start. */
export const CONTROL_PLANE = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** The components that run as systemd services on a node, besides the kubelet. */
export const servicesOf = (cluster: Cluster, isMaster: boolean): readonly Service[] => [
  ...(isMaster ? CONTROL_PLANE : []),
  ...(replacesKubeProxy(cluster) ? [] : (['kube-proxy'] as const)),
];

/** Runs a control plane component as a service with its current configuration, and waits until it is healthy. */
export const serveControlPlane = (cluster: Cluster, service: ControlPlaneService): Step =>
  defineStep({
    name: `${service}.serve`,
    summary: `Configure and start ${service}`,
    timeoutMs: TEN_MINUTES,
    reversible: true,
    parts: ({ host }) => {
      const own = clusterHost(cluster, host);
      return [
        ...configuredService({
          unit: `${service}.service`,
          files: [file({ path: unitFileOf(service), content: controlPlaneUnit(service, cluster, own) })],
          restartIfNewer: [unitFileOf(service), programOf(service), ...READ_AT_START[service]],
        }),
        waitUntil({
          key: `wait:${service}`,
          summary: `${service} is healthy`,
          condition: isHealthy(cluster, own, service),
          timeoutMs: FOUR_MINUTES,
        }),
      ];
    },
  });

const TEN_MINUTES = 600_000;
const FOUR_MINUTES = 240_000;

/** Files that a component reads only at start. API servers reload most certificates by themselves. */
const READ_AT_START: Readonly<Record<ControlPlaneService, readonly string[]>> = {
  'kube-apiserver': [
    SERVICE_ACCOUNT.privateKey,
    SERVICE_ACCOUNT.publicKey,
    certificateAt('apiserver-kubelet-client'),
    API_FILES.auditPolicy,
    API_FILES.encryption,
    API_FILES.admission,
    API_FILES.authentication,
  ],
  'kube-controller-manager': [
    kubeconfigAt('controller-manager'),
    SERVICE_ACCOUNT.privateKey,
    certificateAt('ca'),
    certificateAt('front-proxy-ca'),
  ],
  'kube-scheduler': [kubeconfigAt('scheduler')],
};

/** Connects to the address that the component listens on, from the host itself. */
function isHealthy(cluster: Cluster, host: ClusterHost, service: ControlPlaneService): Command {
  const flags = controlPlaneFlags(service, cluster, host);
  const address = flags['bind-address'] ?? flags['advertise-address'] ?? '';
  const server = `https://${localAddressFor(address)}:${flags['secure-port'] ?? PORTS[service]}`;
  switch (service) {
    case 'kube-apiserver':
      return healthCheck({ server, path: '/readyz', kubeconfig: ADMIN_CONF });
    case 'kube-controller-manager':
      return healthCheck({
        server,
        path: '/healthz',
        kubeconfig: kubeconfigAt('controller-manager'),
        selfSigned: true,
      });
    case 'kube-scheduler':
      return healthCheck({ server, path: '/healthz', kubeconfig: kubeconfigAt('scheduler'), selfSigned: true });
  }
}

const PORTS: Readonly<Record<ControlPlaneService, number>> = {
  'kube-apiserver': 6443,
  'kube-controller-manager': 10_257,
  'kube-scheduler': 10_259,
};

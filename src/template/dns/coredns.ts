import type { Cluster } from '../../config/model/cluster.ts';
import { dnsServiceAddresses } from '../../config/model/addresses.ts';
import { clusterRoleBinding, RBAC } from '../kubernetes/rbac.ts';
import { corefile } from './corefile.ts';

/** Annotations that change with the Corefile, so that pods with an outdated Corefile are replaced. */
export type PodAnnotations = (corefile: string) => Readonly<Record<string, string>>;

/** The Kubernetes objects of CoreDNS, the same as kubeadm's except for the image. */
export const coreDns = (cluster: Cluster, image: string, annotationsFor: PodAnnotations) => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: COREDNS, namespace: SYSTEM } },
  { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'system:coredns' }, rules },
  clusterRoleBinding('system:coredns', 'system:coredns', { kind: 'ServiceAccount', name: COREDNS, namespace: SYSTEM }),
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: COREDNS, namespace: SYSTEM },
    data: { Corefile: corefile(cluster) },
  },
  service(cluster),
  deployment(image, annotationsFor(corefile(cluster))),
];

export const COREDNS = 'coredns';

/** Readiness probe period. With the default a rollout waits up to ten seconds longer. */
export const READY_SECONDS = 2;

const SYSTEM = 'kube-system';
const selector = { 'k8s-app': 'kube-dns' };

const rules = [
  { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
];

function service({ network }: Cluster) {
  const addresses = dnsServiceAddresses(network.serviceCidrs);
  const port = (name: string, protocol: string, number: number) => ({
    name,
    port: number,
    protocol,
    targetPort: number,
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kube-dns',
      namespace: SYSTEM,
      annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
      labels: { ...selector, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
    },
    spec: {
      clusterIP: addresses[0],
      clusterIPs: addresses,
      ipFamilyPolicy: addresses.length > 1 ? 'RequireDualStack' : 'SingleStack',
      ports: [port('dns', 'UDP', 53), port('dns-tcp', 'TCP', 53), port('metrics', 'TCP', 9153)],
      selector,
    },
  };
}

const deployment = (image: string, annotations: Readonly<Record<string, string>>) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: COREDNS, namespace: SYSTEM, labels: selector },
  spec: {
    replicas: 2,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    selector: { matchLabels: selector },
    template: {
      metadata: { labels: selector, annotations },
      spec: {
        priorityClassName: 'system-cluster-critical',
        serviceAccountName: COREDNS,
        affinity,
        tolerations: [
          { key: 'CriticalAddonsOnly', operator: 'Exists' },
          { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
        ],
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        containers: [container(image)],
        dnsPolicy: 'Default',
        volumes: [
          { name: 'config-volume', configMap: { name: COREDNS, items: [{ key: 'Corefile', path: 'Corefile' }] } },
        ],
      },
    },
  },
});

/** Prefers different nodes for the replicas. */
const affinity = {
  podAntiAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight: 100,
        podAffinityTerm: {
          labelSelector: { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns'] }] },
          topologyKey: 'kubernetes.io/hostname',
        },
      },
    ],
  },
};

const container = (image: string) => ({
  name: COREDNS,
  image,
  imagePullPolicy: 'IfNotPresent',
  resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
  args: ['-conf', '/etc/coredns/Corefile'],
  volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
  ports: [
    { containerPort: 53, name: 'dns', protocol: 'UDP' },
    { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
    { containerPort: 9153, name: 'metrics', protocol: 'TCP' },
    { containerPort: 8080, name: 'liveness-probe', protocol: 'TCP' },
    { containerPort: 8181, name: 'readiness-probe', protocol: 'TCP' },
  ],
  livenessProbe: {
    httpGet: { path: '/health', port: 'liveness-probe', scheme: 'HTTP' },
    initialDelaySeconds: 60,
    timeoutSeconds: 5,
    successThreshold: 1,
    failureThreshold: 5,
  },
  readinessProbe: {
    httpGet: { path: '/ready', port: 'readiness-probe', scheme: 'HTTP' },
    periodSeconds: READY_SECONDS,
  },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  },
});

import { stringify } from 'yaml';
import { program, type Component } from '../component.ts';

/** metrics-server, and a copy of the manifest that upstream generates for each release. */
export function metricsServer(version: string): Component {
  const module = 'sigs.k8s.io/metrics-server';
  const image = `registry.k8s.io/metrics-server/metrics-server:${version}`;
  return {
    name: 'metrics-server',
    version,
    source: {
      type: 'go',
      builds: [
        {
          require: { [module]: version },
          programs: { 'metrics-server': `${module}/cmd/metrics-server` },
          variables: { [`${module}/pkg/version.gitVersion`]: version },
        },
      ],
    },
    files: [
      {
        url: `github.com/kubernetes-sigs/metrics-server/releases/download/${version}/components.yaml`,
        content: { type: 'text', text: manifest(image) },
      },
    ],
    images: [
      {
        names: [image],
        layers: [{ type: 'entries', entries: [program('metrics-server', 'metrics-server')] }],
        config: { entrypoint: ['/metrics-server'], user: '65534' },
      },
    ],
  };
}

const manifest = (image: string) =>
  [account, ...ROLES, ...BINDINGS, service, deployment(image), apiService]
    .map((object) => stringify(object))
    .join('---\n');

const NAME = 'metrics-server';
const NAMESPACE = 'kube-system';
const LABELS = { 'k8s-app': NAME };
const RBAC = 'rbac.authorization.k8s.io';
const clusterScoped = (name: string) => ({ name, labels: LABELS });
const namespaced = (name: string) => ({ ...clusterScoped(name), namespace: NAMESPACE });

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: namespaced(NAME) };

const aggregated = ['view', 'edit', 'admin'].map((role) => [`${RBAC}/aggregate-to-${role}`, 'true']);
const ROLES = [
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'system:aggregated-metrics-reader', labels: { ...LABELS, ...Object.fromEntries(aggregated) } },
    rules: [{ apiGroups: ['metrics.k8s.io'], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] }],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: clusterScoped('system:metrics-server'),
    rules: [
      { apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
    ],
  },
];

const binding = (kind: 'RoleBinding' | 'ClusterRoleBinding', name: string, role: string) => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  metadata: kind === 'RoleBinding' ? namespaced(name) : clusterScoped(name),
  roleRef: { apiGroup: RBAC, kind: kind.replace('Binding', ''), name: role },
  subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: NAMESPACE }],
});
const BINDINGS = [
  binding('RoleBinding', 'metrics-server-auth-reader', 'extension-apiserver-authentication-reader'),
  binding('ClusterRoleBinding', 'metrics-server:system:auth-delegator', 'system:auth-delegator'),
  binding('ClusterRoleBinding', 'system:metrics-server', 'system:metrics-server'),
];

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: namespaced(NAME),
  spec: { ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 'https' }], selector: LABELS },
};

const probe = (path: string) => ({
  failureThreshold: 3,
  httpGet: { path, port: 'https', scheme: 'HTTPS' },
  periodSeconds: 10,
});

const deployment = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: namespaced(NAME),
  spec: {
    selector: { matchLabels: LABELS },
    strategy: { rollingUpdate: { maxUnavailable: 0 } },
    template: {
      metadata: { labels: LABELS },
      spec: {
        serviceAccountName: NAME,
        priorityClassName: 'system-cluster-critical',
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        volumes: [{ name: 'tmp-dir', emptyDir: {} }],
        containers: [container(image)],
      },
    },
  },
});

const container = (image: string) => ({
  name: NAME,
  image,
  imagePullPolicy: 'IfNotPresent',
  args: [
    '--cert-dir=/tmp',
    '--secure-port=10250',
    '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
    '--kubelet-use-node-status-port',
    '--metric-resolution=15s',
  ],
  ports: [{ name: 'https', containerPort: 10250, protocol: 'TCP' }],
  livenessProbe: probe('/livez'),
  readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 20 },
  resources: { requests: { cpu: '100m', memory: '200Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  volumeMounts: [{ name: 'tmp-dir', mountPath: '/tmp' }],
});

const apiService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: clusterScoped('v1beta1.metrics.k8s.io'),
  spec: {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { name: NAME, namespace: NAMESPACE },
  },
};

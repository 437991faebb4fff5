/** The port of the Service. */
export const LOAD_PORT = 8080;

const labels = { app: 'load' };

/**
 * A namespace with a Service and two Pods on different nodes. One Pod always stays: a budget protects it from drains, and a Pod
 * that ends serves requests until all nodes know.
 */
export const LOAD_SERVICE = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'load' } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'load', namespace: 'load' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec() },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'load', namespace: 'load' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'load', namespace: 'load' },
      spec: { selector: labels, ports: [{ port: LOAD_PORT }] },
    },
  ],
});

function podSpec() {
  const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
  return {
    terminationGracePeriodSeconds: 20,
    affinity: {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }] },
    },
    containers: [
      {
        name: 'load',
        image: 'docker.io/library/busybox:1.37.0',
        command: ['sh', '-c', `mkdir -p /www; echo load >/www/index.html; exec httpd -f -p ${LOAD_PORT} -h /www`],
        readinessProbe: { httpGet: { path: '/', port: LOAD_PORT }, periodSeconds: 1 },
        lifecycle: { preStop: { exec: { command: ['sleep', '8'] } } },
      },
    ],
  };
}

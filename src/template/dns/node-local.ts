import type { Cluster } from '../../config/model/cluster.ts';
import { dnsServiceAddresses, NODE_LOCAL_DNS } from '../../config/model/addresses.ts';
import { block, printBlocks, type Block } from './blocks.ts';
import { zoneBlock } from './zone.ts';

/** The Kubernetes objects of NodeLocal DNSCache. */
export const nodeLocalDns = (cluster: Cluster, image: string) => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: nodeLocalCorefile(cluster) } },
  daemonSet(image),
];

const NAME = 'node-local-dns';
const labels = { 'k8s-app': NAME };
const metadata = { name: NAME, namespace: 'kube-system', labels };

/**
 * The Corefile of NodeLocal DNSCache. External names are forwarded to CoreDNS too, so that hosts, rewrites and upstream
 * servers from the cluster file apply to every pod.
 */
export function nodeLocalCorefile({ kubernetes, network, dns }: Cluster): string {
  const [server = ''] = dnsServiceAddresses(network.serviceCidrs);
  const forwardingZone = (zone: string, lines: readonly (string | Block)[]) =>
    block(`${zone}:53`, [
      'errors',
      ...lines,
      'reload',
      'loop',
      `bind ${NODE_LOCAL_DNS}`,
      block(`forward . ${server}`, ['force_tcp']),
      `prometheus ${NODE_LOCAL_DNS}:9253`,
    ]);
  return printBlocks([
    ...dns.nodelocaldns.externalZones.map((zone) => zoneBlock(zone, [`bind ${NODE_LOCAL_DNS}`])),
    forwardingZone(kubernetes.dnsDomain, [
      block('cache', ['success 9984 30', 'denial 9984 5']),
      `health ${NODE_LOCAL_DNS}:9254`,
    ]),
    forwardingZone('in-addr.arpa', ['cache 30']),
    forwardingZone('ip6.arpa', ['cache 30']),
    forwardingZone('.', ['cache 30']),
  ]);
}

const daemonSet = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata,
  spec: {
    selector: { matchLabels: labels },
    updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } },
    template: {
      metadata: { labels, annotations: { 'prometheus.io/port': '9253', 'prometheus.io/scrape': 'true' } },
      spec: {
        priorityClassName: 'system-node-critical',
        serviceAccountName: NAME,
        hostNetwork: true,
        // It cannot resolve names through itself.
        dnsPolicy: 'Default',
        tolerations: [
          { effect: 'NoSchedule', operator: 'Exists' },
          { effect: 'NoExecute', operator: 'Exists' },
          { key: 'CriticalAddonsOnly', operator: 'Exists' },
        ],
        containers: [container(image)],
        volumes: [
          { name: 'config', configMap: { name: NAME } },
          { name: 'xtables-lock', hostPath: { path: '/run/xtables.lock', type: 'FileOrCreate' } },
        ],
      },
    },
  },
});

const container = (image: string) => ({
  name: 'node-cache',
  image,
  args: ['-localip', NODE_LOCAL_DNS, '-conf', '/etc/coredns/Corefile', '-upstreamsvc', 'kube-dns'],
  resources: { limits: { memory: '200Mi' }, requests: { cpu: '25m', memory: '70Mi' } },
  securityContext: { capabilities: { add: ['NET_ADMIN'] } },
  ports: [
    { name: 'dns', containerPort: 53, protocol: 'UDP' },
    { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9253, protocol: 'TCP' },
  ],
  livenessProbe: probe(10),
  readinessProbe: probe(3),
  volumeMounts: [
    { name: 'config', mountPath: '/etc/coredns' },
    { name: 'xtables-lock', mountPath: '/run/xtables.lock' },
  ],
});

const probe = (failureThreshold: number) => ({
  httpGet: { host: NODE_LOCAL_DNS, path: '/health', port: 9254, scheme: 'HTTP' },
  timeoutSeconds: 5,
  successThreshold: 1,
  failureThreshold,
});

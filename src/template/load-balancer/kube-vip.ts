import { yamlDocuments } from '../yaml-documents.ts';

export interface KubeVipOptions {
  readonly image: string;
  readonly address: string;
  readonly port: number;
  readonly mode: 'ARP' | 'BGP';
  readonly interface: string;
  /** Address of this master, used as the BGP router ID. */
  readonly nodeAddress: string;
  /** Path of the kubeconfig on the master. */
  readonly kubeconfig: string;
}

/** The static Pod of kube-vip. The masters elect the holder of the virtual IP. */
export const kubeVipPod = (options: KubeVipOptions): string =>
  yamlDocuments([
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'kube-vip', namespace: 'kube-system', labels: { 'app.kubernetes.io/name': 'kube-vip' } },
      spec: {
        hostNetwork: true,
        priorityClassName: 'system-node-critical',
        // Use the API server on this master, regardless of who holds the virtual IP.
        hostAliases: [{ ip: '127.0.0.1', hostnames: ['kubernetes'] }],
        containers: [
          {
            name: 'kube-vip',
            image: options.image,
            imagePullPolicy: 'IfNotPresent',
            args: ['manager'],
            env: Object.entries(settings(options)).map(([name, value]) => ({ name, value })),
            resources: { requests: { cpu: '25m', memory: '32Mi' } },
            securityContext: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'], drop: ['ALL'] } },
            volumeMounts: [{ name: 'kubeconfig', mountPath: '/etc/kubernetes/admin.conf', readOnly: true }],
          },
        ],
        volumes: [{ name: 'kubeconfig', hostPath: { path: options.kubeconfig, type: 'File' } }],
      },
    },
  ]);

const settings = (options: KubeVipOptions): Readonly<Record<string, string>> => ({
  address: options.address,
  port: `${options.port}`,
  vip_interface: options.interface,
  vip_subnet: options.address.includes(':') ? '128' : '32',
  cp_enable: 'true',
  cp_namespace: 'kube-system',
  svc_enable: 'false',
  ...(options.mode === 'ARP' ? ARP : { vip_arp: 'false', bgp_enable: 'true', bgp_routerid: options.nodeAddress }),
});

const ARP = {
  vip_arp: 'true',
  vip_leaderelection: 'true',
  vip_leasename: 'plndr-cp-lock',
  vip_leaseduration: '5',
  vip_renewdeadline: '3',
  vip_retryperiod: '1',
};

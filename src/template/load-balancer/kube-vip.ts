import type { BgpPeer } from '../../config/model/cluster.ts';
import { bracketIPv6 } from '../../util/address.ts';
import { yamlDocuments } from '../yaml-documents.ts';

export interface KubeVipOptions {
  readonly image: string;
  readonly address: string;
  readonly port: number;
  /** Undefined in ARP mode. */
  readonly bgp: KubeVipBgpOptions | undefined;
  readonly interface: string;
  /** Path of the kubeconfig on the master. */
  readonly kubeconfig: string;
}

/** How this master announces the virtual IP to routers. */
export interface KubeVipBgpOptions {
  readonly localAS: number;
  /** IPv4 address of this master. */
  readonly routerId: string;
  readonly peers: readonly (Pick<BgpPeer, 'address' | 'as' | 'multiHop'> & { readonly password: string })[];
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
  vip_arp: options.bgp === undefined ? 'true' : 'false',
  ...ELECTION,
  ...(options.bgp && bgpSettings(options.bgp)),
});

const bgpSettings = ({ localAS, routerId, peers }: KubeVipBgpOptions) => ({
  bgp_enable: 'true',
  bgp_routerid: routerId,
  bgp_as: `${localAS}`,
  bgp_peers: peers
    .map(({ address, as, password, multiHop }) => `${bracketIPv6(address)}:${as}:${password}:${multiHop}`)
    .join(),
});

/** The leader holds and announces the virtual IP; a master without an API server does not become the leader. */
const ELECTION = {
  vip_leaderelection: 'true',
  vip_leasename: 'plndr-cp-lock',
  vip_leaseduration: '5',
  vip_renewdeadline: '3',
  vip_retryperiod: '1',
};

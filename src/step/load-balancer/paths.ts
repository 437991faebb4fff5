/** A program that forwards connections to the API servers. */
export type Proxy = 'haproxy' | 'nginx';

/** The files of keepalived on a load balancer host. */
export const LOAD_BALANCER = {
  keepalived: '/etc/keepalived/keepalived.conf',
  check: '/etc/kubexm/load-balancer/check.sh',
  apiCheck: '/etc/kubexm/load-balancer/check-api.sh',
  /** Exists once the cluster has a control plane. */
  hasControlPlane: '/etc/kubexm/load-balancer/has-control-plane',
} as const;

/** The configuration file of a proxy that runs as a service. */
export const proxyConfig: Readonly<Record<Proxy, string>> = {
  haproxy: '/etc/haproxy/haproxy.cfg',
  nginx: '/etc/nginx/nginx.conf',
};

/** The configuration of a proxy that runs as a static Pod on a worker. */
export const podConfig: Readonly<Record<Proxy, { readonly folder: string; readonly file: string }>> = {
  haproxy: { folder: '/etc/kubexm/haproxy', file: '/etc/kubexm/haproxy/haproxy.cfg' },
  nginx: { folder: '/etc/kubexm/nginx', file: '/etc/kubexm/nginx/nginx.conf' },
};

/** A program that hands connections to the API servers. */
export type Proxy = 'haproxy' | 'nginx';

/** Where the load balancer is on a host that is there for it. */
export const LOAD_BALANCER = {
  keepalived: '/etc/keepalived/keepalived.conf',
  check: '/etc/kubexm/load-balancer/check.sh',
} as const;

/** What a proxy reads when it is a service of its host. */
export const proxyConfig: Readonly<Record<Proxy, string>> = {
  haproxy: '/etc/haproxy/haproxy.cfg',
  nginx: '/etc/nginx/nginx.conf',
};

/** What it reads when it is a pod of a worker. */
export const podConfig: Readonly<Record<Proxy, { readonly folder: string; readonly file: string }>> = {
  haproxy: { folder: '/etc/kubexm/haproxy', file: '/etc/kubexm/haproxy/haproxy.cfg' },
  nginx: { folder: '/etc/kubexm/nginx', file: '/etc/kubexm/nginx/nginx.conf' },
};

import type { Cluster } from '../../config/cluster.ts';
import { BALANCER_HEALTH_PORT } from '../../config/ports.ts';
import type { Facts } from '../../runner/facts.ts';
import { backendsOf } from '../../template/load-balancer/backend.ts';
import { haproxyConf } from '../../template/load-balancer/haproxy.ts';
import { nginxConf } from '../../template/load-balancer/nginx.ts';
import { file } from '../common/file.ts';
import { defineStep, type Step } from '../step.ts';
import { proxyConfig, type Proxy } from './places.ts';
import { reloadingService } from './reloading-service.ts';

/** A host hands connections to the API servers; its packages came with the preparation of the host. */
export const serveProxy = (cluster: Cluster, proxy: Proxy): Step =>
  defineStep({
    name: `${proxy}.serve`,
    summary: `Configure and start ${proxy}`,
    reversible: true,
    parts: ({ facts }) => {
      const config = proxyConfig[proxy];
      const content = serviceConfig(cluster, proxy, facts);
      return reloadingService({ unit: `${proxy}.service`, files: [file({ path: config, content })], config });
    },
  });

function serviceConfig(cluster: Cluster, proxy: Proxy, facts: Pick<Facts, 'family'>): string {
  const { port, external } = cluster.endpoint;
  const six = external.type !== 'none' && (external.address?.includes(':') ?? false);
  const options = {
    listen: [six ? '[::]' : '*'],
    port,
    backends: backendsOf(cluster),
    healthPort: BALANCER_HEALTH_PORT,
  };
  switch (proxy) {
    case 'haproxy':
      return haproxyConf({ ...options, user: 'haproxy' });
    case 'nginx': {
      const folder = facts.family === 'debian' ? '/usr/lib/nginx/modules' : '/usr/lib64/nginx/modules';
      return nginxConf({ ...options, streamModule: `${folder}/ngx_stream_module.so` });
    }
  }
}

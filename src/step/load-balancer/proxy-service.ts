import type { Cluster } from '../../config/model/cluster.ts';
import { BALANCER_HEALTH_PORT } from '../../config/model/ports.ts';
import type { Facts } from '../../runner/facts.ts';
import { backendsOf } from '../../template/load-balancer/backend.ts';
import { haproxyConf } from '../../template/load-balancer/haproxy.ts';
import { nginxConf } from '../../template/load-balancer/nginx.ts';
import { file } from '../common/file.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { proxyConfig, type Proxy } from './paths.ts';
import { reloadingService } from './reloading-service.ts';

/** The clients of a load balancer: everyone who can reach its host, or only the host itself. */
export type Audience = 'all' | 'itself';

/** Runs the proxy as a service; prepare-os has installed its packages. */
export const serveProxy = (cluster: Cluster, proxy: Proxy, audience: Audience): Step =>
  defineStep({
    name: `${proxy}.serve`,
    summary: `Configure and start ${proxy}`,
    reversible: true,
    parts: ({ facts }) => {
      const config = proxyConfig[proxy];
      const content = serviceConfig(cluster, proxy, audience, facts);
      return reloadingService({ unit: `${proxy}.service`, files: [file({ path: config, content })], config });
    },
  });

function serviceConfig(cluster: Cluster, proxy: Proxy, audience: Audience, facts: Pick<Facts, 'family'>): string {
  const options = {
    listen: [audience === 'itself' ? '127.0.0.1' : wildcardAddress(cluster)],
    port: cluster.endpoint.port,
    backends: backendsOf(cluster),
    healthPort: BALANCER_HEALTH_PORT,
  };
  switch (proxy) {
    case 'haproxy':
      return haproxyConf({ ...options, user: 'haproxy', reportsBackends: audience === 'all' });
    case 'nginx': {
      const folder = facts.family === 'debian' ? '/usr/lib/nginx/modules' : '/usr/lib64/nginx/modules';
      return nginxConf({ ...options, streamModule: `${folder}/ngx_stream_module.so` });
    }
  }
}

const wildcardAddress = ({ endpoint: { external } }: Cluster): string =>
  external.type !== 'none' && external.address?.includes(':') ? '[::]' : '*';

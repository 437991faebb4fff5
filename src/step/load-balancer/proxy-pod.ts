import { createHash } from 'node:crypto';
import type { Assets } from '../../resource/assets.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { BALANCER_HEALTH_PORT } from '../../config/model/ports.ts';
import { sh } from '../../runner/command.ts';
import { backendsOf } from '../../template/load-balancer/backend.ts';
import { healthCheckScript } from '../../template/load-balancer/health-check.ts';
import { haproxyConf } from '../../template/load-balancer/haproxy.ts';
import { nginxConf } from '../../template/load-balancer/nginx.ts';
import { balancerPod, MANIFESTS } from '../../template/load-balancer/static-pod.ts';
import { file } from '../common/file.ts';
import { waitUntil } from '../common/wait-until.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { podConfig, type Proxy } from './paths.ts';

/** Writes the local load balancer of a worker as a static Pod, which the kubelet starts without the API. */
export const writeProxyPod = (cluster: Cluster, proxy: Proxy, { images }: Assets): Step =>
  defineStep({
    name: `${proxy}.pod`,
    summary: `Write the ${proxy} static Pod`,
    reversible: true,
    parts: () => {
      const { folder, file: path } = podConfig[proxy];
      const content = configOf(cluster, proxy);
      const digest = createHash('sha256').update(content).digest('hex');
      const image = images.find(({ name }) => name === proxy)?.ref ?? '';
      const manifest = balancerPod({ name: proxy, image, folder, digest, port: cluster.endpoint.port });
      return [
        file({ path, content }),
        file({ path: `${MANIFESTS}/kubexm-${proxy}.yaml`, content: manifest, mode: 0o600 }),
      ];
    },
  });

function configOf(cluster: Cluster, proxy: Proxy): string {
  const options = {
    listen: ['127.0.0.1'],
    port: cluster.endpoint.port,
    backends: backendsOf(cluster),
    healthPort: BALANCER_HEALTH_PORT,
  };
  // The stream module is built into the image.
  return proxy === 'haproxy' ? haproxyConf(options) : nginxConf({ ...options, streamModule: undefined });
}

/** Waits until the local load balancer of the worker is healthy and listens on the API endpoint of the kubelet. */
export const awaitProxyPod = ({ endpoint: { port } }: Cluster, proxy: Proxy): Step =>
  defineStep({
    name: `${proxy}.answer`,
    summary: `Wait until ${proxy} is ready on the worker`,
    parts: () => [
      waitUntil({
        key: `wait:${proxy}`,
        summary: `${proxy} is ready on 127.0.0.1:${port}`,
        condition: {
          text: sh`timeout 5 bash -c ${healthCheckScript()} 2>/dev/null && timeout 3 bash -c ${`exec 3<>/dev/tcp/127.0.0.1/${port}`} 2>/dev/null`
            .text,
          display: `curl http://127.0.0.1:${BALANCER_HEALTH_PORT}/healthz`,
        },
        timeoutMs: 120_000,
      }),
    ],
  });

import type { Backend } from './backend.ts';

export interface NginxOptions {
  readonly listen: readonly string[];
  readonly port: number;
  readonly backends: readonly Backend[];
  readonly healthPort: number;
  /** Path of the stream module, if it is not built in. */
  readonly streamModule: string | undefined;
}

/** The text of nginx.conf. Detects failed API servers by failed connections and tries the next one. */
export const nginxConf = ({
  listen,
  port,
  backends,
  healthPort,
  streamModule,
}: NginxOptions): string => `# Written by kubexm.
${streamModule === undefined ? '' : `load_module ${streamModule};\n`}error_log stderr notice;
worker_processes 2;
worker_rlimit_nofile 65536;

events {
  multi_accept on;
  worker_connections 16384;
}

stream {
  upstream kube_apiserver {
    least_conn;
${backends.map(({ address }) => `    server ${address} max_fails=2 fail_timeout=5s;\n`).join('')}  }

  server {
${listen.map((address) => `    listen ${address === '*' ? '' : `${address}:`}${port};\n`).join('')}    proxy_pass kube_apiserver;
    proxy_connect_timeout 2s;
    proxy_next_upstream on;
    # Watches are quiet for long: a shorter time would cut them off.
    proxy_timeout 4h;
    proxy_socket_keepalive on;
  }
}

http {
  access_log off;
  server {
    listen 127.0.0.1:${healthPort};
    location /healthz {
      return 200;
    }
  }
}
`;

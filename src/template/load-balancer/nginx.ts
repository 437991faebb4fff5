import type { Backend } from './backend.ts';

/** What nginx listens on and hands connections to. */
export interface NginxOptions {
  readonly listen: readonly string[];
  readonly port: number;
  readonly backends: readonly Backend[];
  readonly healthPort: number;
  /** Where its module for streams is, on systems where it is not built in. */
  readonly streamModule: string | undefined;
}

/** nginx before the API servers. It learns that one is gone by connections that fail, and tries the next. */
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

import type { Backend } from './backend.ts';

export interface HaproxyOptions {
  /** Listen addresses: "127.0.0.1", or "*" for all. */
  readonly listen: readonly string[];
  readonly port: number;
  readonly backends: readonly Backend[];
  /** Port of the health endpoint on loopback. */
  readonly healthPort: number;
  /** Fails the health endpoint while no API server is ready. A liveness probe would restart it without effect. */
  readonly reportsBackends?: boolean;
  /** User to switch to when started as root. The container image has its own user. */
  readonly user?: string;
}

/** The text of haproxy.cfg: checks /readyz of each API server over TLS and keeps long watches open. */
export const haproxyConf = ({
  listen,
  port,
  backends,
  healthPort,
  reportsBackends = false,
  user,
}: HaproxyOptions): string => `# Written by kubexm.
global
  log stdout format raw local0 notice
  maxconn 10000
  # Where the system allows fewer open files it serves as many as it may.
  no strict-limits
${user === undefined ? '' : `  user ${user}\n  group ${user}\n`}
defaults
  mode tcp
  log global
  option dontlognull
  option tcp-smart-connect
  option clitcpka
  option srvtcpka
  retries 2
  timeout connect 5s
  timeout check 5s
  # Watches are quiet for long: a shorter time would cut them off.
  timeout client 4h
  timeout server 4h
  timeout tunnel 4h

frontend health
  bind 127.0.0.1:${healthPort}
  mode http
  timeout client 10s
  monitor-uri /healthz
${reportsBackends ? '  monitor fail if { nbsrv(kube-apiserver) lt 1 }\n' : ''}
frontend kube-apiserver
${listen.map((address) => `  bind ${address}:${port}\n`).join('')}  default_backend kube-apiserver

backend kube-apiserver
  balance leastconn
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 2s fall 3 rise 1 on-marked-down shutdown-sessions check check-ssl verify none
${backends.map(({ name, address }) => `  server ${name} ${address}\n`).join('')}`;

import type { ExecResult } from '../../connector/connector.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { ProbeResult } from './api-server.ts';

/** The status of an etcd member. */
export interface EtcdStatus extends ProbeResult {
  readonly isLeader: boolean;
  /** Undefined if the member did not report it. */
  readonly version: string | undefined;
  readonly sizeBytes: number | undefined;
}

/**
 * Queries the local member on its metrics port, which needs no certificate. `/health` does a linearizable read, so it also
 * fails without quorum.
 */
export const ETCD_PROBE: Command = {
  text: sh`get() { timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/2381 || exit; printf "GET $0 HTTP/1.0\r\n\r\n" >&3; cat <&3' "$1"; }
get /health && echo && get /metrics | grep -E '^etcd_(server_(is_leader|version)|mvcc_db_total_size_in_bytes)[ {]'`
    .text,
  display: 'query etcd health',
};

export function parseEtcd({ stdout, stderr }: ExecResult): EtcdStatus {
  const health = /^\{.*"health"\s*:\s*"?(true|false)"?.*\}/m.exec(stdout);
  const reason = /"reason"\s*:\s*"([^"]+)"/.exec(health?.[0] ?? '')?.[1];
  const metric = (name: string) => new RegExp(`^etcd_${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(stdout)?.[1];
  const size = Number(metric('mvcc_db_total_size_in_bytes'));
  const connectionError = /: ([^:]+)$/.exec(stderr.trim().split('\n').at(-1) ?? '')?.[1] ?? 'no response';
  const ok = health?.[1] === 'true';
  return {
    ok,
    detail: ok ? 'healthy' : (reason ?? (health ? 'unhealthy' : connectionError)),
    isLeader: metric('server_is_leader') === '1',
    version: /^etcd_server_version\{[^}]*server_version="([^"]+)"/m.exec(stdout)?.[1],
    sizeBytes: size > 0 ? size : undefined,
  };
}

import type { ExecResult } from '../../connector/connector.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { Answer } from './api-server.ts';

/** What a member of etcd says of itself. */
export interface EtcdAnswer extends Answer {
  readonly leads: boolean;
  /** Undefined when it did not say. */
  readonly version: string | undefined;
  readonly sizeBytes: number | undefined;
}

/** Asks the member of this host where it needs no certificate; the answer comes from a read that a majority agrees to. */
export const ETCD_QUESTION: Command = {
  text: sh`ask() { timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/2381 || exit; printf "GET $0 HTTP/1.0\r\n\r\n" >&3; cat <&3' "$1"; }
ask /health && echo && ask /metrics | grep -E '^etcd_(server_(is_leader|version)|mvcc_db_total_size_in_bytes)[ {]'`
    .text,
  display: 'ask etcd for its health',
};

export function readEtcdAnswer({ stdout, stderr }: ExecResult): EtcdAnswer {
  const health = /^\{.*"health"\s*:\s*"?(true|false)"?.*\}/m.exec(stdout);
  const reason = /"reason"\s*:\s*"([^"]+)"/.exec(health?.[0] ?? '')?.[1];
  const metric = (name: string) => new RegExp(`^etcd_${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(stdout)?.[1];
  const size = Number(metric('mvcc_db_total_size_in_bytes'));
  const silent = /: ([^:]+)$/.exec(stderr.trim().split('\n').at(-1) ?? '')?.[1] ?? 'no answer';
  const ok = health?.[1] === 'true';
  return {
    ok,
    said: ok ? 'healthy' : (reason ?? (health ? 'not healthy' : silent)),
    leads: metric('server_is_leader') === '1',
    version: /^etcd_server_version\{[^}]*server_version="([^"]+)"/m.exec(stdout)?.[1],
    sizeBytes: size > 0 ? size : undefined,
  };
}

import { isIPv6 } from 'node:net';
import type { Cluster } from '../../config/model/cluster.ts';
import { podDnsServers } from '../../config/model/addresses.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { ExecResult } from '../../connector/connector.ts';
import type { ProbeResult } from './api-server.ts';

/** Queries the DNS server of the Pods from a node. Uses bash because most hosts have no DNS client. */
export function dnsProbe(cluster: Cluster): Command {
  const [server = ''] = podDnsServers(cluster);
  const query = queryFor(`kubernetes.default.svc.${cluster.kubernetes.dnsDomain}`, isIPv6(server) ? AAAA : A);
  const bytes = [...query].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return {
    text: sh`timeout 5 bash -c ${SCRIPT} ${server} ${bytes}`.text,
    display: `query ${server} for the kubernetes Service`,
  };
}

// Over TCP, each DNS message is preceded by its length.
const SCRIPT =
  'exec 3<>"/dev/tcp/$0/53" || exit; printf "$1" >&3; set -- $(head -c 2 <&3 | od -An -tu1); head -c "$(($1 * 256 + $2))" <&3 | od -An -v -tx1';

const A = 1;
const AAAA = 28;

function queryFor(name: string, type: number): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'ascii')]);
  const header = Buffer.from([0x4b, 0x58, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  const message = Buffer.concat([header, ...labels, Buffer.from([0, 0, type, 0, 1])]);
  return Buffer.concat([Buffer.from([message.length >> 8, message.length & 0xff]), message]);
}

/** Parses the response. Any address counts as success. */
export function parseDns({ stdout, stderr, exit }: ExecResult): ProbeResult {
  const message = Buffer.from(stdout.replaceAll(/\s/g, ''), 'hex');
  if (message.length < 12) return { ok: false, detail: connectionError(exit, stderr) };
  const code = message.readUInt8(3) & 0x0f;
  if (code !== 0) return { ok: false, detail: `the DNS server returned ${CODES[code] ?? `code ${code}`}` };
  return message.readUInt16BE(6) > 0
    ? { ok: true, detail: 'ok' }
    : { ok: false, detail: 'the DNS server returned no address for the kubernetes Service' };
}

const connectionError = (exit: number, stderr: string) =>
  exit === 124
    ? 'no response within 5 s'
    : (/: ([^:]+)$/.exec(stderr.trim().split('\n').at(-1) ?? '')?.[1] ?? 'no response');

const CODES: Readonly<Record<number, string>> = { 2: 'SERVFAIL', 3: 'NXDOMAIN', 5: 'REFUSED' };

import { isIPv6 } from 'node:net';
import type { Cluster } from '../../config/model/cluster.ts';
import { dnsServiceAddresses } from '../../config/model/service-address.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { ExecResult } from '../../connector/connector.ts';
import type { Answer } from './api-server.ts';

/** Asks the DNS server of the cluster for the API, from a node: programs that can are on few hosts, bash is on all. */
export function dnsQuestion({ network, kubernetes }: Cluster): Command {
  const [server = ''] = dnsServiceAddresses(network.serviceCidrs);
  const query = queryFor(`kubernetes.default.svc.${kubernetes.dnsDomain}`, isIPv6(server) ? AAAA : A);
  const bytes = [...query].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return {
    text: sh`timeout 5 bash -c ${SCRIPT} ${server} ${bytes}`.text,
    display: `ask ${server} for the API`,
  };
}

// By TCP, where a message stands behind its length.
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

/** What came back: an address is all that is wanted. */
export function readDnsAnswer({ stdout, stderr, exit }: ExecResult): Answer {
  const message = Buffer.from(stdout.replaceAll(/\s/g, ''), 'hex');
  if (message.length < 12) return { ok: false, said: silence(exit, stderr) };
  const code = message.readUInt8(3) & 0x0f;
  if (code !== 0) return { ok: false, said: `it answers ${CODES[code] ?? `with code ${code}`}` };
  return message.readUInt16BE(6) > 0
    ? { ok: true, said: 'it answers' }
    : { ok: false, said: 'it knows no address of the API' };
}

const silence = (exit: number, stderr: string) =>
  exit === 124
    ? 'no answer within 5 s'
    : (/: ([^:]+)$/.exec(stderr.trim().split('\n').at(-1) ?? '')?.[1] ?? 'no answer');

const CODES: Readonly<Record<number, string>> = { 2: 'SERVFAIL', 3: 'NXDOMAIN', 5: 'REFUSED' };

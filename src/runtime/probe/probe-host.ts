import { KubexmError } from '../../common/errors/errors.ts';
import { isNode } from '../../common/host.ts';
import type { ClusterHost } from '../../config/model/cluster.ts';
import { etcdOn } from '../../config/model/ports.ts';
import type { Command } from '../../runner/command.ts';
import type { Facts } from '../../runner/facts.ts';
import { hostNamed } from '../session/hosts.ts';
import type { Session } from '../session/session.ts';
import { apiServerProbe, ENDPOINT_PROBE, parseApiServer, type ProbeResult } from './api-server.ts';
import { CERTIFICATES_PROBE, parseCertificates, type HostCertificate } from './certificates.ts';
import { dnsProbe, parseDns } from './dns.ts';
import { ETCD_PROBE, parseEtcd, type EtcdStatus } from './etcd.ts';
import { kubernetesUnits, parseServices, servicesProbe, type ServiceStates } from './services.ts';

/** The observed state of a host. Components that do not run there are undefined. */
export interface ReachedHost {
  readonly type: 'reached';
  readonly host: ClusterHost;
  readonly facts: Facts;
  /** Readiness of its own API server. */
  readonly api: ProbeResult | undefined;
  /** Whether it reaches the control plane endpoint the way its kubelet does. */
  readonly endpoint: ProbeResult | undefined;
  readonly etcd: EtcdStatus | undefined;
  readonly services: ServiceStates | undefined;
  readonly dns: ProbeResult | undefined;
  readonly certificates: readonly HostCertificate[];
}

/** A host that could not be probed. */
export interface UnreachableHost {
  readonly type: 'unreachable';
  readonly host: ClusterHost;
  readonly reason: string;
}

/** The result of probing a host. */
export type HostProbe = ReachedHost | UnreachableHost;

/** Probes a host in two round trips: one for its facts, one for its components. */
export async function probeHost(session: Session, host: ClusterHost, signal: AbortSignal): Promise<HostProbe> {
  try {
    return await unlessAborted(signal, probeReachable(session, host, signal));
  } catch (error) {
    const reason = unreachableReason(error);
    if (reason === undefined) throw error;
    return { type: 'unreachable', host, reason };
  }
}

async function probeReachable(session: Session, host: ClusterHost, signal: AbortSignal): Promise<ReachedHost> {
  const { cluster } = session;
  const target = hostNamed(session.hosts, host.name);
  const { facts } = await session.reach(target);
  const connector = session.connector(target);
  const query = (command: Command) => connector.query(command.text, { signal });
  const when = <T>(runsHere: boolean, probe: () => Promise<T>) => (runsHere ? probe() : Promise.resolve(undefined));
  const units = kubernetesUnits(cluster, host);
  const [api, endpoint, etcd, services, dns, certificates] = await Promise.all([
    when(host.roles.includes('master'), () => query(apiServerProbe(cluster)).then(parseApiServer)),
    when(isNode(host), () => query(ENDPOINT_PROBE).then(parseApiServer)),
    when(etcdOn(cluster, host) !== undefined, () => query(ETCD_PROBE).then(parseEtcd)),
    when(units.length > 0, () => query(servicesProbe(units)).then((result) => parseServices(units, result))),
    when(isNode(host), () => query(dnsProbe(cluster)).then(parseDns)),
    query(CERTIFICATES_PROBE).then(({ stdout }) => parseCertificates(stdout)),
  ]);
  return { type: 'reached', host, facts, api, endpoint, etcd, services, dns, certificates };
}

/** Why a host could not be queried, in one line; undefined for an unexpected error. */
export function unreachableReason(error: unknown): string | undefined {
  if (error instanceof KubexmError) return error.report.title;
  return error instanceof DOMException ? 'timed out' : undefined;
}

function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

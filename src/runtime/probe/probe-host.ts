import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { apiPort, etcdOn } from '../../config/model/ports.ts';
import { sh, type Command } from '../../runner/command.ts';
import type { Facts } from '../../runner/facts.ts';
import { kubectl } from '../../step/kubernetes-object/kubectl.ts';
import type { Session } from '../session/session.ts';
import { readApiAnswer, type Answer } from './api-server.ts';
import { CERTIFICATES_QUESTION, certificatesIn, type CertificateSeen } from './certificates.ts';
import { dnsQuestion, readDnsAnswer } from './dns.ts';
import { ETCD_QUESTION, readEtcdAnswer, type EtcdAnswer } from './etcd.ts';
import { readServices, servicesQuestion, unitsOn, type ServicesSeen } from './services.ts';
import { unreachedReason } from './unreached-reason.ts';

/** What there is to see on a host of a cluster that runs. What its roles do not ask for is undefined. */
export interface HostSeen {
  readonly type: 'seen';
  readonly host: ClusterHost;
  readonly facts: Facts;
  /** Whether its own API server is ready. */
  readonly api: Answer | undefined;
  /** Whether it reaches an API server as its kubelet does. */
  readonly endpoint: Answer | undefined;
  readonly etcd: EtcdAnswer | undefined;
  readonly services: ServicesSeen | undefined;
  readonly dns: Answer | undefined;
  readonly certificates: readonly CertificateSeen[];
}

/** A host that could not be looked at. */
export interface HostUnseen {
  readonly type: 'unseen';
  readonly host: ClusterHost;
  readonly reason: string;
}

/** A host as it was found. */
export type HostLook = HostSeen | HostUnseen;

/** Looks at a host: once for what it is, once for all that runs there. One that does not answer is told as that. */
export async function lookAtHost(session: Session, host: ClusterHost, signal: AbortSignal): Promise<HostLook> {
  try {
    return await unlessAborted(signal, seen(session, host, signal));
  } catch (error) {
    const reason = unreachedReason(error);
    if (reason === undefined) throw error;
    return { type: 'unseen', host, reason };
  }
}

async function seen(session: Session, host: ClusterHost, signal: AbortSignal): Promise<HostSeen> {
  const { cluster } = session;
  const named = session.hosts.all.find(({ name }) => name === host.name);
  if (!named) throw new TypeError(`${host.name} is no host of ${cluster.name}`);
  const { facts } = await session.reach(named);
  const connector = session.connector(named);
  const ask = (command: Command) => connector.query(command.text, { signal });
  const when = <T>(is: boolean, answer: () => Promise<T>) => (is ? answer() : Promise.resolve(undefined));
  const units = unitsOn(cluster, host);
  const [api, endpoint, etcd, services, dns, certificates] = await Promise.all([
    when(host.roles.includes('master'), () => ask(ownApi(cluster)).then(readApiAnswer)),
    when(isNode(host), () => ask(ENDPOINT).then(readApiAnswer)),
    when(etcdOn(cluster, host) !== undefined, () => ask(ETCD_QUESTION).then(readEtcdAnswer)),
    when(units.length > 0, () => ask(servicesQuestion(units)).then((said) => readServices(units, said))),
    when(isNode(host), () => ask(dnsQuestion(cluster)).then(readDnsAnswer)),
    ask(CERTIFICATES_QUESTION).then(({ stdout }) => certificatesIn(stdout)),
  ]);
  return { type: 'seen', host, facts, api, endpoint, etcd, services, dns, certificates };
}

const ownApi = (cluster: Cluster): Command =>
  kubectl(sh`--server ${ownServer(cluster)} --request-timeout=10s get --raw ${'/readyz?verbose'}`);

/** Of a master, asked on it: no load balancer is between. */
export const ownServer = (cluster: Cluster): string => `https://127.0.0.1:${apiPort(cluster)}`;

const ENDPOINT = kubectl(sh`--kubeconfig /etc/kubernetes/kubelet.conf --request-timeout=10s get --raw /livez`);

function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

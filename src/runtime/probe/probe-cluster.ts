import { signalWithTimeout } from '../../util/abort-signal.ts';
import type { Session } from '../session/session.ts';
import type { EtcdMember } from '../../step/etcd/members.ts';
import { probeEtcdMembers } from './etcd-members.ts';
import { probeExec, type ExecProbe } from './exec.ts';
import { probeHost, type HostProbe } from './probe-host.ts';
import { probeKubernetes, type KubernetesProbe } from './probe-kubernetes.ts';

/** The observed state of a cluster. */
export interface ClusterProbe {
  readonly at: Date;
  /** In cluster file order. */
  readonly hosts: readonly HostProbe[];
  readonly kubernetes: KubernetesProbe;
  /** Empty if no API server responded. */
  readonly exec: readonly ExecProbe[];
  /** Undefined if no etcd member responded, or if etcd is external. */
  readonly etcdMembers: readonly EtcdMember[] | undefined;
}

/** Probes all hosts in parallel, then queries the API through a ready master. Read-only. */
export async function probeCluster(session: Session, stop: AbortSignal): Promise<ClusterProbe> {
  const { cluster } = session;
  const signal = signalWithTimeout([stop], PROBE_TIMEOUT_MS);
  const hosts = await Promise.all(cluster.hosts.map((host) => probeHost(session, host, signal)));
  stop.throwIfAborted();
  const ready = hosts.flatMap((probe) => (probe.type === 'reached' && probe.api?.ok ? [probe.host] : []));
  const [kubernetes, etcdMembers] = await Promise.all([
    probeKubernetes(session, { masters: ready, pods: true, signal: stop }),
    probeEtcdMembers(session, hosts, signal),
  ]);
  const exec = kubernetes.master === undefined ? [] : await probeExec(session, kubernetes, stop);
  stop.throwIfAborted();
  return { at: new Date(), hosts, kubernetes, exec, etcdMembers };
}

/** Limits the wait for hosts that hang. */
const PROBE_TIMEOUT_MS = 60_000;

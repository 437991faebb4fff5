import { signalWithTimeout } from '../../util/abort-signal.ts';
import type { Session } from '../session/session.ts';
import { lookAtHost, type HostLook } from './probe-host.ts';
import { lookAtKubernetes, type KubernetesLook, type KubernetesSilent } from './probe-kubernetes.ts';

/** A cluster as it was found. */
export interface ClusterLook {
  readonly at: Date;
  /** In the order of the file. */
  readonly hosts: readonly HostLook[];
  readonly kubernetes: KubernetesLook | KubernetesSilent;
}

/** Looks at all hosts at once, then asks the first master that is ready for the rest. Nothing is changed. */
export async function lookAtCluster(session: Session, stop: AbortSignal): Promise<ClusterLook> {
  const { cluster } = session;
  const signal = signalWithTimeout([stop], PATIENCE_MS);
  const hosts = await Promise.all(cluster.hosts.map((host) => lookAtHost(session, host, signal)));
  stop.throwIfAborted();
  const ready = hosts.flatMap((look) => (look.type === 'seen' && look.api?.ok ? [look.host] : []));
  const kubernetes = await lookAtKubernetes(session, { masters: ready, pods: true, signal: stop });
  stop.throwIfAborted();
  return { at: new Date(), hosts, kubernetes };
}

/** A host that hangs keeps nobody from hearing of the others. */
const PATIENCE_MS = 60_000;

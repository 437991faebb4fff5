import type { Cluster } from '../../config/model/cluster.ts';
import { count } from '../format/text.ts';
import { number, touchedText } from '../format/touched-text.ts';
import { clusterFlag } from '../options/cluster.ts';
import type { LocatedCluster, PipelineCall, PipelineRun, RunNotes } from './run-pipeline.ts';

/** A run that adds hosts to a cluster or removes hosts from it. */
export interface MembershipChange {
  /** The cluster, including these hosts. */
  readonly cluster: Cluster;
  readonly changed: ReadonlySet<string>;
  readonly as: 'added' | 'removed';
}

type Touched = Parameters<NonNullable<PipelineRun['describe']>>[0];

/** Describes the hosts that a run changes, and the files on other hosts that the next `create cluster` updates. */
export function membershipNotes(
  { options }: PipelineCall,
  { location }: Pick<LocatedCluster, 'location'>,
  { cluster, changed, as }: MembershipChange,
  touched: Touched,
): RunNotes {
  const { hosts, system } = cluster;
  const reached = new Set(touched.map(({ name }) => name));
  const others = hosts.filter(({ name, roles }) => roles.length > 0 && !reached.has(name) && !changed.has(name));
  const pending = system.etcHosts === 'write' && others.length > 0;
  const flag = options.clusterName === undefined ? clusterFlag({ file: location.file }) : clusterFlag(options);
  const command = `kubexm create cluster ${flag}`;
  const total = hosts.length;
  const text = touchedText({ touched, changed, as: as === 'added' ? 'new' : as, total });
  return {
    lines: [
      `  Hosts touched: ${text}`,
      ...(pending ? [`  Pending: /etc/hosts on ${hostCount(others.length)}, updated by the next ${command}`] : []),
    ],
    json: {
      hosts: { [as]: [...changed], touched: [...reached], total },
      pending: pending ? [{ what: '/etc/hosts', hosts: others.map(({ name }) => name), command }] : [],
    },
  };
}

const hostCount = (hosts: number) => count(hosts, 'other host').replace(String(hosts), number(hosts));

import type { Node, Pod } from '../../kubernetes-api/objects.ts';
import { budgetsOf, closedNow, neverOpens } from './budgets.ts';
import type { DrainOptions } from './options.ts';
import { unplacedPods, volumesOf } from './place-pods.ts';
import { controllerOf, emptyDirsOf, fullName, isTerminating, kindOf } from './pods.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** What would happen if nodes were drained. */
export interface DrainForecast {
  /** In the order in which to drain them. */
  readonly nodes: readonly NodeForecast[];
}

export interface NodeForecast {
  readonly node: string;
  /** How many pods would be evicted. */
  readonly evicted: number;
  /** How many pods of DaemonSets and static pods stay. */
  readonly staying: number;
  readonly findings: readonly DrainFinding[];
}

/** Something about one pod. An error keeps the drain from ending, or the pod from running afterwards. */
export interface DrainFinding {
  readonly severity: 'error' | 'warning';
  readonly kind: 'bare-pod' | 'empty-dir' | 'host-path' | 'local-volume' | 'budget' | 'no-room';
  readonly pod: string;
  readonly text: string;
  /** What to do about it; empty if nothing has to be done. */
  readonly fix: string;
}

type ForecastOptions = Pick<DrainOptions, 'force' | 'deleteEmptyDirData'>;

/** Simulates draining nodes that all stay cordoned, as if they were cordoned first. */
export function forecastDrain(
  snapshot: ClusterSnapshot,
  nodes: readonly string[],
  options: ForecastOptions,
): DrainForecast {
  const unplaced = new Map(unplacedPods(snapshot, nodes).map(({ pod, reason }) => [pod, reason]));
  const forecasts = nodes.map((node): NodeForecast => {
    const pods = snapshot.pods.filter(({ spec }) => spec.nodeName === node);
    const evicted = pods.filter((pod) => kindOf(pod) === 'evictable' && !isTerminating(pod));
    const findings = evicted.flatMap((pod) => findingsOf(pod, snapshot, options, unplaced.get(pod)));
    return { node, evicted: evicted.length, staying: pods.filter(stays).length, findings };
  });
  return { nodes: safeOrder(forecasts, snapshot) };
}

const stays = (pod: Pod) => kindOf(pod) === 'daemonset' || kindOf(pod) === 'static';

function findingsOf(
  pod: Pod,
  snapshot: ClusterSnapshot,
  { force, deleteEmptyDirData }: ForecastOptions,
  noRoom: string | undefined,
): readonly DrainFinding[] {
  const emptyDirs = emptyDirsOf(pod);
  const hostPaths = (pod.spec.volumes ?? []).flatMap(({ hostPath }) => hostPath?.path ?? []);
  const local = volumesOf(pod, snapshot).filter(({ spec }) => spec.local !== undefined || spec.hostPath !== undefined);
  const localNames = local.map(({ metadata }) => metadata.name).join(', ');
  const found: readonly (PodFinding | false)[] = [
    !controllerOf(pod) && {
      severity: force ? 'warning' : 'error',
      kind: 'bare-pod',
      text: 'has no controller: nothing starts it again',
      fix: '--force evicts it',
    },
    emptyDirs.length > 0 && {
      severity: deleteEmptyDirData ? 'warning' : 'error',
      kind: 'empty-dir',
      text: `loses the content of its emptyDir ${emptyDirs.join(', ')}`,
      fix: '--delete-emptydir-data evicts it',
    },
    hostPaths.length > 0 && {
      severity: 'warning',
      kind: 'host-path',
      text: `uses ${hostPaths.join(', ')} of the node, which stays behind`,
      fix: '',
    },
    local.length > 0 && {
      severity: 'error',
      kind: 'local-volume',
      text: `its volume ${localNames} is on this node, so it cannot run elsewhere`,
      fix: 'Move the data to another volume first',
    },
    budgetFinding(pod, snapshot),
    noRoom !== undefined &&
      local.length === 0 && {
        severity: 'error',
        kind: 'no-room',
        text: `fits on no other node (${noRoom})`,
        fix: 'Add a node, or reduce its requests',
      },
  ];
  return found.flatMap((finding) => (finding ? [{ pod: fullName(pod), ...finding }] : []));
}

type PodFinding = Omit<DrainFinding, 'pod'>;

function budgetFinding(pod: Pod, { budgets }: ClusterSnapshot): PodFinding | false {
  const [budget, ...others] = budgetsOf(pod, budgets);
  if (!budget) return false;
  const { name, namespace } = budget.metadata;
  const kind = 'budget';
  if (others.length > 0) {
    const names = [budget, ...others].map(({ metadata }) => metadata.name).join(', ');
    const text = `is selected by several disruption budgets (${names}), so it cannot be evicted`;
    return { severity: 'error', kind, text, fix: 'Leave only one of them' };
  }
  const fix = `kubectl describe poddisruptionbudget --namespace ${namespace} ${name}`;
  const never = neverOpens(budget);
  if (never !== undefined)
    return { severity: 'error', kind, text: `the disruption budget ${name} never allows it: ${never}`, fix };
  const closed = closedNow(budget);
  return (
    closed !== undefined && {
      severity: 'warning',
      kind,
      text: `waits for the disruption budget ${name}: ${closed}`,
      fix,
    }
  );
}

/** Nodes without obstacles first, control plane nodes last, and nodes with few pods before those with many. */
function safeOrder(forecasts: readonly NodeForecast[], { nodes }: ClusterSnapshot): readonly NodeForecast[] {
  const isMaster = ({ node }: NodeForecast) =>
    nodes.some(({ metadata }) => metadata.name === node && hasControlPlaneLabel(metadata));
  const errors = ({ findings }: NodeForecast) => findings.filter(({ severity }) => severity === 'error').length;
  const rank = (each: NodeForecast) => [Number(isMaster(each)), errors(each), each.evicted];
  return forecasts.toSorted((one, other) => compare(rank(one), rank(other)));
}

const hasControlPlaneLabel = ({ labels = {} }: Node['metadata']) => 'node-role.kubernetes.io/control-plane' in labels;

const compare = (one: readonly number[], other: readonly number[]): number => {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : one[at]! - other[at]!;
};

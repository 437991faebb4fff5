import { masked } from '../../common/secret.ts';
import type { Cluster, Endpoint } from '../../config/model/cluster.ts';
import type { ClusterDescription } from '../../runtime/inspect/describe-cluster.ts';
import type { HealthResult } from '../../runtime/health/check.ts';
import type { NodeRow } from '../../runtime/inspect/list-nodes.ts';
import { fieldOf, textOf } from '../../util/json-fields.ts';
import type { Console } from '../console.ts';
import { nodeNotes, statusText } from './node-text.ts';
import { table } from './table.ts';
import { shortList, size } from './text.ts';
import { age } from './time.ts';

type Color = Console['color'];

/** Returns the output of `describe cluster`. */
export function descriptionText(description: ClusterDescription, color: Color): string {
  const { cluster, nodes, removedHosts } = description;
  const linesOf = (is: (node: NodeRow) => boolean) => nodes.filter(is).map((node) => nodeLine(node, color));
  const isMaster = ({ roles }: NodeRow) => roles.includes('master') || roles.includes('control-plane');
  return masked(
    [
      ...pairs(headOf(description, color)),
      ...section('Control Plane', linesOf(isMaster)),
      ...section(
        'Workers',
        linesOf((node) => !isMaster(node) && node.status !== 'NoNode'),
      ),
      ...section(
        'Other Hosts',
        linesOf(({ status }) => status === 'NoNode'),
      ),
      ...section(
        'Removed Hosts',
        removedHosts.map((name) => `  - ${name}  [not reset]`),
      ),
      ...section('Etcd', etcdLines(description)),
      ...section('Network', indented(pairs(networkOf(cluster)))),
      ...section('Certificates', certificateLines(description)),
      ...section('Last Operation', indented(pairs(operationOf(description)))),
      ...section('Applied Config', indented(pairs(appliedOf(description)))),
      ...section('Conditions', conditionLines(description, color)),
    ].join('\n'),
  );
}

type Pair = readonly [name: string, value: string];

const pairs = (list: readonly Pair[]): readonly string[] => {
  const width = Math.max(...list.map(([name]) => name.length)) + 3;
  return list.map(([name, value]) => `${`${name}:`.padEnd(width)}${value || '-'}`);
};

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** Returns a section with its title, or nothing if the section is empty. */
const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [`${title}:`, ...lines]);

function headOf({ cluster, versions, runtimes, status, created, applied }: ClusterDescription, color: Color) {
  const { kubernetes, network, endpoint, registry, addons } = cluster;
  const { type } = network.plugin;
  const plugin = applied?.versions[type];
  const list: readonly Pair[] = [
    ['Name', cluster.name],
    ['Status', status === 'Ready' ? color.green(status) : color.red(status)],
    ['Age', age(created)],
    ['Kubernetes Version', versions.join(', ') || `v${kubernetes.version} (from the cluster file)`],
    ['Container Runtime', runtimes.join(', ') || `${kubernetes.containerRuntime.type} (from the cluster file)`],
    ['CNI Plugin', plugin === undefined ? type : `${type} v${plugin}`],
    ['Endpoint', `https://${endpoint.domain}:${endpoint.port}${balancers(endpoint)}`],
    ['Registry', registry.type === 'none' ? 'none' : `${registry.type} ${registry.name}`],
    ['Addons', shortList(addons.map(({ name }) => name)) || 'none'],
  ];
  return list;
}

function balancers({ external, internal }: Endpoint): string {
  const named = [
    ...(external.type === 'none' ? [] : [`${external.type} ${external.address ?? ''}`.trim()]),
    ...(internal.type === 'none'
      ? []
      : [internal.type === 'kube-vip' ? `kube-vip ${internal.address}` : internal.type]),
  ];
  return named.length === 0 ? '' : ` via ${named.join(' and ')}`;
}

const nodeLine = (node: NodeRow, color: Color) => {
  const status = statusText(node, color) || node.roles.join(',');
  const notes = nodeNotes(node);
  return `  - ${node.name} (${node.address})  [${status}]${notes && `  ${notes}`}`;
};

function etcdLines({ cluster, etcd }: ClusterDescription): readonly string[] {
  if (cluster.etcd.type === 'external') return cluster.etcd.endpoints.map((each) => `  - ${each}  [external]`);
  return etcd.map(({ host, healthy, said, leads, version, sizeBytes, learner, inFile, id }) => {
    const more = [
      ...(leads ? ['leader'] : []),
      ...(learner ? ['learner'] : []),
      ...(inFile ? [] : [`member ${id ?? ''} without a host in the cluster file`]),
      ...(version === undefined ? [] : [`v${version}`]),
      ...(sizeBytes === undefined ? [] : [size(sizeBytes)]),
    ];
    return `  - ${host}  [${healthy ? 'Healthy' : said}]${more.length === 0 ? '' : `  ${more.join(', ')}`}`;
  });
}

const networkOf = ({ network, kubernetes }: Cluster): readonly Pair[] => [
  ['Pods', network.podCidrs.join(', ')],
  ['Services', network.serviceCidrs.join(', ')],
  ['DNS Domain', kubernetes.dnsDomain],
];

/** Returns the five certificates that expire first. The JSON output contains all certificates. */
function certificateLines({ certificates }: ClusterDescription): readonly string[] {
  if (certificates.length === 0) return [];
  const rows = certificates
    .slice(0, 5)
    .map(({ host, path, ends, days }) => [host, path, ends.toISOString().slice(0, 10), `${days}d`]);
  const more = certificates.length - rows.length;
  const lines = table(['Host', 'Certificate', 'Expires', 'Left'], rows).split('\n');
  return indented(more > 0 ? [...lines, `and ${more} more that expire later`] : lines);
}

function operationOf({ lastOperation }: ClusterDescription): readonly Pair[] {
  if (!lastOperation) return [['Type', 'no run recorded on this machine']];
  const { id, command, status, at } = lastOperation;
  return [
    ['Type', command],
    ['Status', status === 'done' ? 'Success' : status],
    ['Timestamp', at?.toISOString() ?? ''],
    ['Run', id],
  ];
}

/** Returns the configuration that was applied last. The cluster file may have changed since then. */
function appliedOf({ applied }: ClusterDescription): readonly Pair[] {
  if (!applied) return [['Applied', 'unknown: no run on this machine has succeeded']];
  const block = (name: string) => fieldOf(applied.spec, name) ?? null;
  const kubernetes = block('kubernetes');
  return [
    ['Kubernetes', `${textOf(kubernetes, 'type')} v${textOf(kubernetes, 'version')}`],
    ['Container Runtime', textOf(fieldOf(kubernetes, 'containerRuntime') ?? null, 'type')],
    ['Etcd', textOf(block('etcd'), 'type')],
    ['Network', textOf(fieldOf(block('network'), 'plugin') ?? null, 'type')],
    ['Applied', `${applied.applied} by kubexm ${applied.kubexm}, run ${applied.run}`],
  ];
}

const CONDITION_STATUS: Readonly<Record<HealthResult['status'], string>> = {
  ok: 'True',
  warning: 'True',
  failed: 'False',
  unknown: 'Unknown',
};

function conditionLines({ conditions, at }: ClusterDescription, color: Color): readonly string[] {
  const paint = (status: HealthResult['status']) =>
    status === 'ok'
      ? CONDITION_STATUS[status]
      : (status === 'failed' ? color.red : color.yellow)(CONDITION_STATUS[status]);
  const rows = conditions.map(({ condition, status, found }) => [condition, paint(status), at.toISOString(), found]);
  return indented(table(['Type', 'Status', 'Last Heartbeat Time', 'Message'], rows).split('\n'));
}

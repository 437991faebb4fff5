import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { labDown } from '../src/lab/down.ts';
import { labUp, type Lab } from '../src/lab/up.ts';
import { clusterMirror, mirroredClusterFile } from '../test/lab/support/cluster-mirror.ts';
import { median } from './measure.ts';
import { IGNORED, prepareNode, saveNodeFiles, type NodeFiles } from './plain-script.ts';
import { writeResults } from './results.ts';
import { run, sh, sshTo, timed } from './shell.ts';
import { measuredKubexm } from './usage.ts';

/**
 * Time to add one worker, compared with a shell script that copies the same files to an equal machine, checks nothing and
 * waits until the node is ready. Then the same addition to clusters with many nodes, which exist only in the API, the cluster
 * file and the applied state: nothing responds at their addresses.
 */
const NAME = 'benchnodes';
const VERSION = '1.36.3';
const LIMIT = 1.15;
const { positionals } = parseArgs({ allowPositionals: true });
const SIZES = positionals.length > 0 ? positionals.map(Number) : [1000, 5000];
/** Machines 3, 5 and 7 join by kubexm, 4, 6 and 8 by the script, and one more in a cluster of each size. */
const REPEATS = 3;
const FIRST = ['node1', 'node2'];
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
process.env['KUBEXM_HOME'] = folder;

interface ClusterFile {
  readonly spec: { readonly hosts: readonly { readonly name: string }[]; readonly [key: string]: unknown };
}

try {
  const lab = await labUp({ name: NAME, machines: 2 + 2 * REPEATS + SIZES.length });
  const mirror = await clusterMirror(lab, VERSION);
  // Room for the Pods of 8,192 nodes.
  const spec = { etcd: { type: 'kubeadm' }, network: { plugin: 'flannel', kubePodsCIDR: '10.32.0.0/11' } };
  const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec });
  const original: ClusterFile = parse(await readFile(file, 'utf8'));
  const call = (...args: readonly string[]) =>
    measuredKubexm(folder, [...args, '--skip-preflight', '-f', file, '--workdir', lab.paths.folder]);
  await writeHosts(file, original, FIRST, []);
  await call('create', 'cluster');
  const files = await saveNodeFiles(lab, 'node2', folder);

  const joined = [...FIRST];
  const times = { kubexm: [] as number[], script: [] as number[] };
  let trips: Readonly<Record<string, number>> = {};
  for (let at = 0; at < REPEATS; at++) {
    const mine = `node${3 + 2 * at}`;
    const other = `node${4 + 2 * at}`;
    joined.push(mine);
    await writeHosts(file, original, joined, []);
    const added = await call('add', 'nodes', '--yes', '-o', 'json');
    times.kubexm.push(added.seconds);
    trips = JSON.parse(added.stdout).roundTrips;
    times.script.push(await measureScript(lab, files, other));
  }
  const idle = Object.entries(trips).filter(([name]) => name !== 'node1' && name !== joined.at(-1));
  const ratio = median(times.kubexm) / median(times.script);

  const rows: string[] = [];
  for (const [at, size] of SIZES.entries()) {
    const name = `node${3 + 2 * REPEATS + at}`;
    rows.push(await measureLarge(lab, file, original, { joined, name, size }));
    joined.push(name);
  }
  await mirror.close();
  const list = (numbers: readonly number[]) => numbers.map((each) => each.toFixed(1)).join(', ');
  writeResults('scale-nodes', [
    'Adding one worker to a cluster of type kubeadm on lab machines of one computer, artifacts already downloaded, Flannel.',
    '',
    '| command | s |',
    '| --- | --- |',
    `| kubexm add nodes | ${list(times.kubexm)} |`,
    `| the script | ${list(times.script)} |`,
    '',
    `Ratio of the medians: ${ratio.toFixed(2)} (limit: ${LIMIT}). Round trips to workers that were there before: ${idle.map(([name, count]) => `${name} ${count}`).join(', ')}.`,
    '',
    'The same with many nodes in the cluster and the cluster file, which do not respond:',
    '',
    '| hosts | plan s | plan MB | add s | add CPU s | add MB | hosts touched |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ]);
  process.exitCode = ratio <= LIMIT && idle.every(([, count]) => count === 0) ? 0 : 1;

  /** Adds a worker to a cluster of this size. */
  async function measureLarge(
    machines: Lab,
    path: string,
    cluster: ClusterFile,
    {
      joined: present,
      name,
      size,
    }: { readonly joined: readonly string[]; readonly name: string; readonly size: number },
  ): Promise<string> {
    const absent = Array.from({ length: size - present.length - 1 }, (_, at) => absentHost(at));
    await createNodes(machines, absent);
    await rememberHosts(machines, absent);
    await writeHosts(path, cluster, [...present, name], absent);
    const plan = await call('add', 'nodes', '--dry-run');
    const added = await call('add', 'nodes', '--yes', '-o', 'json');
    const counts: Readonly<Record<string, number>> = JSON.parse(added.stdout).roundTrips;
    const touched = Object.entries(counts).filter(([, count]) => count > 0);
    const cells = [plan.seconds.toFixed(1), plan.mb.toFixed(0), added.seconds.toFixed(1)];
    const names = touched.map(([host]) => host).join(', ');
    return `| ${size} | ${cells.join(' | ')} | ${added.cpu.toFixed(1)} | ${added.mb.toFixed(0)} | ${touched.length}: ${names} |`;
  }
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

interface AbsentHost {
  readonly name: string;
  readonly address: string;
}

/** Nothing has this address: it is in no network of this computer. */
function absentHost(at: number): AbsentHost {
  return { name: `w${String(at + 1).padStart(4, '0')}`, address: `127.11.${at >> 8}.${at & 255}` };
}

/** Writes a cluster file with the first machine as master and the others and absent hosts as workers. */
async function writeHosts(
  file: string,
  cluster: ClusterFile,
  names: readonly string[],
  absent: readonly AbsentHost[],
): Promise<void> {
  const hosts = [
    ...cluster.spec.hosts.filter(({ name }) => names.includes(name)),
    ...absent.map((host) => ({ ...host, user: 'root', password: 'test-only' })),
  ];
  const worker = [...names.slice(1), ...absent.map(({ name }) => name)];
  const spec = { ...cluster.spec, hosts, roleGroups: { master: names.slice(0, 1), worker } };
  await writeFile(file, stringify({ ...cluster, spec }, { aliasDuplicateObjects: false }), { mode: 0o600 });
}

/** Creates Node objects. Without the label of their operating system, no DaemonSet creates Pods for them. */
async function createNodes(lab: Lab, hosts: readonly AbsentHost[]): Promise<void> {
  const items = hosts.map(({ name, address }) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { addresses: [{ type: 'InternalIP', address }] },
  }));
  const path = join(folder, 'nodes.json');
  await writeFile(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const kubectl = 'kubectl --kubeconfig /etc/kubernetes/admin.conf';
  await sh(`${sshTo(lab, 'node1')} '${kubectl} apply --server-side --validate=false -f - >/dev/null' <${path}`);
}

/** Adds hosts to the state that the last run applied, here and in the cluster. */
async function rememberHosts(lab: Lab, absent: readonly AbsentHost[]): Promise<void> {
  const path = join(lab.paths.folder, '.kubexm', lab.name, 'state.json');
  const state = JSON.parse(await readFile(path, 'utf8'));
  const worker = state.spec.hosts.find(({ roles }: { readonly roles: readonly string[] }) => roles.includes('worker'));
  const known = new Set(state.spec.hosts.map(({ name }: { readonly name: string }) => name));
  const added = absent
    .filter(({ name }) => !known.has(name))
    .map(({ name, address }) => ({ ...worker, name, address, internalAddresses: [address] }));
  await writeFile(path, JSON.stringify({ ...state, spec: { ...state.spec, hosts: [...state.spec.hosts, ...added] } }));
}

async function measureScript(lab: Lab, files: NodeFiles, node: string): Promise<number> {
  const hosts = lab.machines.map(({ name, address }) => `${address} ${name}`);
  const script = join(folder, 'script.sh');
  await writeFile(
    script,
    `set -e
node=${node}
${prepareNode(lab, files, [...hosts, `${lab.machines[0]!.address} lb.kubexm.local`])}
join=$(${sshTo(lab, 'node1')} 'kubeadm token create --print-join-command')
${sshTo(lab, '$node')} "$join ${IGNORED}" >/dev/null
${sshTo(lab, 'node1')} "kubectl --kubeconfig /etc/kubernetes/admin.conf wait --for=condition=Ready node $node --timeout=600s" >/dev/null
`,
  );
  return (await timed(() => run('bash', [script]))).s;
}

import { fork, type ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { knownHosts } from '../src/connector/known-hosts.ts';
import { sshConnector } from '../src/connector/ssh.ts';
import { labDown } from '../src/lab/down.ts';
import { labUp } from '../src/lab/up.ts';
import { clusterMirror, mirroredClusterFile } from '../test/lab/support/cluster-mirror.ts';
import { writeResults } from './results.ts';
import type { HostsConfig } from './scale/hosts.ts';
import { PREPARED_TAGS, preparedWorker } from './scale/prepared-worker.ts';
import { recordingBackend, type Recording } from './scale/recording.ts';
import { serveHosts } from '../test/fake/simulated-hosts.ts';
import { measuredKubexm, type Usage } from './usage.ts';

/**
 * kubexm with many hosts. Two lab machines become a real cluster while their answers are recorded; then processes with
 * real SSH servers on loopback addresses answer from memory like as many copies of the worker as wanted.
 */
const NAME = 'benchscale';
const VERSION = '1.36.3';
const { values: flags, positionals } = parseArgs({
  options: { 'without-lab': { type: 'boolean' } },
  allowPositionals: true,
});
const SIZES = positionals.length > 0 ? positionals.map(Number) : [100, 1000, 5000];
const PORT = 22_100;
const PROCESSES = 2;
// Room for the pods of 8,192 nodes.
const SPEC = { etcd: { type: 'kubeadm' }, network: { plugin: 'flannel', kubePodsCIDR: '10.32.0.0/11' } };
// The recorded API server stores nothing, so it cannot have the state with all hosts.
const RECORDED_TAGS = ['--skip-tags', 'state.publish'];
const LIMIT = { hosts: 1000, cpu: 20, mb: 500 };
const folder = await mkdtemp(join(tmpdir(), 'kubexm-scale-'));
const kept = process.env['KUBEXM_SCALE_RECORDING'] ?? join(folder, 'recorded');
process.env['KUBEXM_HOME'] ??= join(kept, 'home');

interface Template {
  /** The cluster file of the recorded cluster, parsed. */
  readonly cluster: { readonly metadata: { readonly name: string }; readonly spec: Record<string, unknown> };
  readonly master: Recording;
  readonly worker: Recording;
  /** Selects the part of the plan that the hosts can answer. */
  readonly select: readonly string[];
}

try {
  const template = flags['without-lab'] ? await withoutLab() : await readTemplate().catch(() => record());
  const rows: string[] = [];
  let met: boolean | undefined;
  for (const size of SIZES) {
    const { lines, create } = await measure(size, template);
    rows.push(...lines);
    if (size === LIMIT.hosts) met = create.cpu <= LIMIT.cpu && create.mb <= LIMIT.mb;
  }
  const verdict = met === undefined ? 'Not measured.' : met ? 'Met.' : 'Not met.';
  writeResults('scale', [
    `Simulated hosts: real SSH servers in other processes on loopback, which answer like a ${flags['without-lab'] ? 'prepared' : 'recorded'} worker; create cluster`,
    `with ${template.select.join(' ')}. CPU and memory are those of kubexm alone, on ${cpus().length} cores; load average over 15 minutes ${loadavg()[2]?.toFixed(1)}.`,
    '',
    '| hosts | command | seconds | CPU s | CPU ms per host | peak RSS MB | open files | round trips per worker |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `Limit for a second create of ${LIMIT.hosts} hosts: ${LIMIT.cpu} s of CPU and ${LIMIT.mb} MB. ${verdict}`,
  ]);
  process.exitCode = met === false ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function readTemplate(): Promise<Template> {
  return JSON.parse(await readFile(join(kept, 'template.json'), 'utf8'));
}

/** A cluster of prepared workers, of which only the operating system is set up. */
async function withoutLab(): Promise<Template> {
  const worker = preparedWorker('node2', '10.177.9.9');
  const master = preparedWorker('node1', '10.177.9.8');
  await mkdir(join(kept, '.kubexm'), { recursive: true });
  const spec = { ...SPEC, kubernetes: { version: `v${VERSION}` } };
  const cluster = { apiVersion: 'kubexm.mensylisir.io/v1alpha1', kind: 'Cluster', metadata: { name: NAME }, spec };
  return { cluster, master, worker, select: PREPARED_TAGS };
}

/** Creates a real cluster through SSH servers that record what the machines answer. */
async function record(): Promise<Template> {
  const lab = await labUp({ name: NAME, machines: 2 });
  try {
    const mirror = await clusterMirror(lab, VERSION);
    const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec: SPEC });
    const cluster: Template['cluster'] = parse(await readFile(file, 'utf8'));
    const [master, worker] = lab.machines.map(({ name, address }): Recording => ({ name, address, answers: {} }));
    if (!master || !worker) throw new Error('the lab has too few machines');
    const connectors = lab.machines.map(({ name, address, port }) =>
      sshConnector(
        { name, address, port, user: 'root', privateKeyPath: join(lab.paths.folder, 'id_ed25519'), timeoutMs: 60_000 },
        knownHosts(join(folder, 'known_hosts')),
      ),
    );
    const backends = [master, worker].map((recording, at) => recordingBackend(connectors[at]!, recording));
    const server = await serveHosts(PORT, (address) => backends[Number(address.split('.').at(-1)) - 1]);
    const hosts = [master, worker].map(({ name, address }, at) => hostEntry(name, `127.10.0.${at + 1}`, address, PORT));
    await mkdir(kept, { recursive: true });
    await writeFile(file, stringify({ ...cluster, spec: { ...cluster.spec, hosts } }));
    const call = (...args: readonly string[]) => kubexm([...args, '-f', file, '--workdir', kept]);
    await call('download', 'artifacts', '--images');
    await call('create', 'cluster', '--skip-preflight');
    // Answers of a cluster that is up to date replace those of its creation.
    await call('create', 'cluster', '--skip-preflight');
    server.close();
    for (const connector of connectors) await connector[Symbol.asyncDispose]();
    await mirror.close();
    const template = { cluster, master, worker, select: RECORDED_TAGS };
    await writeFile(join(kept, 'template.json'), JSON.stringify(template));
    return template;
  } finally {
    await labDown(NAME);
  }
}

function hostEntry(name: string, address: string, internalAddress: string, port: number) {
  return { name, address, internalAddress, port, user: 'root', password: 'test-only' };
}

async function measure(size: number, template: Template) {
  const workdir = join(folder, String(size));
  const file = join(workdir, 'cluster.yaml');
  await mkdir(workdir);
  await cp(join(kept, '.kubexm'), join(workdir, '.kubexm'), { recursive: true });
  await rm(join(workdir, '.kubexm', NAME, 'known_hosts'), { force: true });
  // The last one joins later.
  const workers = Array.from({ length: size }, (_, at) => simulated(at));
  const { master, cluster } = template;
  const first = { name: master.name, address: '127.10.0.1', internalAddress: master.address, port: PORT };
  const clusterOf = (joined: readonly ReturnType<typeof simulated>[]) => {
    const hosts = [first, ...joined].map((host) => hostEntry(host.name, host.address, host.internalAddress, host.port));
    const roleGroups = { etcd: [master.name], master: [master.name], worker: joined.map(({ name }) => name) };
    return stringify({ ...cluster, spec: { ...cluster.spec, hosts, roleGroups } });
  };
  await writeFile(file, clusterOf(workers.slice(0, -1)));
  const paths = { master: join(workdir, 'master.json'), worker: join(workdir, 'worker.json') };
  await writeFile(paths.master, JSON.stringify({ ...template.master, worker: template.worker.name }));
  await writeFile(paths.worker, JSON.stringify(template.worker));
  const all = [{ ...first, recording: paths.master }, ...workers.map((host) => ({ ...host, recording: paths.worker }))];
  const servers = await Promise.all(
    Array.from({ length: PROCESSES }, (_, at) =>
      startServer(workdir, {
        port: PORT + at,
        hosts: all.filter(({ port }) => port === PORT + at),
        unknown: join(kept, 'unknown'),
      }),
    ),
  );
  try {
    const call = (...args: readonly string[]) => kubexm([...args, '-f', file, '--workdir', workdir]);
    const createCluster = [
      'create',
      'cluster',
      '--skip-preflight',
      ...template.select,
      '-f',
      file,
      '--workdir',
      workdir,
    ];
    const settle = await kubexm(createCluster);
    const dryRun = await kubexm([...createCluster, '--dry-run']);
    const json = await kubexm([...createCluster, '-o', 'json']);
    const create = await kubexm(createCluster, true);
    const connect = await kubexm(['run', 'command', '-f', file, '--workdir', workdir, '--', 'true']);
    const command = await kubexm(['run', 'command', '-f', file, '--workdir', workdir, '--', 'uptime']);
    const log = await call('logs', 'run', 'latest');
    await writeFile(file, clusterOf(workers));
    const add = await kubexm(createCluster);
    const trips = Object.entries<number>(JSON.parse(json.stdout).roundTrips).filter(([name]) => name.startsWith('w'));
    const perHost = trips.reduce((sum, [, count]) => sum + count, 0) / trips.length;
    const row = (what: string, { seconds, cpu, mb, files }: Usage, more = '') =>
      `| ${size} | ${what} | ${seconds.toFixed(1)} | ${cpu.toFixed(1)} | ${((cpu * 1000) / size).toFixed(1)} | ${mb.toFixed(0)} | ${files} | ${more} |`;
    const lines = [
      row('create, adds the workers', settle),
      row('create --dry-run: connect, facts, plan, checks', dryRun),
      row('create again, up to date, `-o json`', json, perHost.toFixed(1)),
      row('create again, up to date, live view', create),
      row('create with one more worker', add),
      row('run command true: connect', connect),
      row('run command uptime', command),
      row('logs run', log),
    ];
    for (const line of lines) process.stderr.write(`${line}\n`);
    return { lines, create };
  } finally {
    for (const server of servers) server.disconnect();
  }
}

function simulated(at: number) {
  return {
    name: `w${String(at + 1).padStart(4, '0')}`,
    address: `127.11.${at >> 8}.${at & 255}`,
    internalAddress: `10.180.${at >> 8}.${at & 255}`,
    port: PORT + (at % PROCESSES),
  };
}

async function startServer(workdir: string, config: HostsConfig): Promise<ChildProcess> {
  const path = join(workdir, `hosts-${config.port}.json`);
  await writeFile(path, JSON.stringify(config));
  const child = fork(resolve('bench/scale/hosts.ts'), [path], { execArgv: ['--import', 'tsx'] });
  await once(child, 'message');
  return child;
}

// A function, because the code above runs before a constant here is initialized.
function kubexm(args: readonly string[], live = false) {
  return measuredKubexm(folder, args, live);
}

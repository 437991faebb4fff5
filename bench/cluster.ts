import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labDown } from '../src/lab/down.ts';
import { labUp, type Lab } from '../src/lab/up.ts';
import { clusterMirror, mirroredClusterFile } from '../test/lab/support/cluster-mirror.ts';
import { IGNORED, prepareNode, saveNodeFiles, type NodeFiles } from './plain-script.ts';
import { writeResults } from './results.ts';
import { run, sh, sshTo, timed } from './shell.ts';

/**
 * Creation time of a cluster with one master and two workers, compared with a shell script that copies the same files to
 * the same machines in parallel, checks nothing, and waits for nodes and CoreDNS as kubexm does.
 */
const NAME = 'benchclu';
const VERSION = '1.36.3';
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
process.env['KUBEXM_HOME'] = folder;
const rows: string[] = [];
try {
  const first = await measureKubeadmMode();
  const script = await measureScript(first.files);
  const binaries = await measureBinaryMode();
  const ratio = first.create / script;
  writeResults('cluster', [
    'One master and two workers on lab machines of one computer, artifacts already downloaded, Flannel. etcd is run by kubeadm,',
    'and by kubexm in binary mode.',
    '',
    '| command | s |',
    '| --- | --- |',
    ...rows,
    '',
    `Ratio of create to script: ${ratio.toFixed(2)} (goal: at most 0.75).`,
    '',
    `Round trips of the first run: ${first.trips}; of the second: ${first.tripsAgain} (goal: at most 10 per host).`,
    '',
    `Ratio of binary mode to kubeadm: ${(binaries / first.create).toFixed(2)} (goal: at most 1.0).`,
    '',
    `Critical path with kubeadm: ${first.path}.`,
  ]);
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

async function measureKubeadmMode() {
  const { lab, mirror, kubexm, create, result } = await createCluster('with kubeadm', { etcd: { type: 'kubeadm' } });
  const files = await saveFiles(lab);
  const again = await kubexm('create', 'cluster', '--skip-preflight', '-o', 'json');
  rows.push(`| the same again, up to date | ${again.s.toFixed(1)} |`);
  const deletion = await kubexm('delete', 'cluster', '--yes');
  rows.push(`| kubexm delete cluster | ${deletion.s.toFixed(1)} |`);
  await mirror.close();
  await labDown(NAME);
  return { create, files, trips: tripsOf(result), tripsAgain: tripsOf(again.stdout), path: pathOf(result) };
}

/** "node1 12, node2 8" */
function tripsOf(json: string): string {
  return Object.entries(JSON.parse(json).roundTrips)
    .map(([host, count]) => `${host} ${String(count)}`)
    .join(', ');
}

/** The steps of the critical path that took at least a second. */
function pathOf(json: string): string {
  const { criticalPath }: { readonly criticalPath: readonly { readonly node: string; readonly ms: number }[] } =
    JSON.parse(json);
  return criticalPath
    .filter(({ ms }) => ms >= 1000)
    .map(({ node, ms }) => `${node.split('/').at(-1)} ${(ms / 1000).toFixed(1)} s`)
    .join(' > ');
}

async function measureBinaryMode(): Promise<number> {
  const { mirror, create } = await createCluster('in binary mode', { kubernetes: { type: 'kubexm' } });
  await mirror.close();
  return create;
}

/** Creates a cluster on new machines and measures the time in seconds. */
async function createCluster(how: string, spec: Readonly<Record<string, object>>) {
  const lab = await labUp({ name: NAME, machines: 3 });
  const mirror = await clusterMirror(lab, VERSION);
  const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec });
  const kubexm = (...args: readonly string[]) =>
    timed(() => run('bin/kubexm', [...args, '-f', file, '--workdir', lab.paths.folder]));
  await kubexm('download', 'artifacts', '--images');
  const { s: create, stdout: result } = await kubexm('create', 'cluster', '--skip-preflight', '-o', 'json');
  rows.push(`| kubexm create cluster, ${how} | ${create.toFixed(1)} |`);
  return { lab, mirror, kubexm, create, result };
}

/** Saves the files of a node, and the configuration that kubeadm got. */
async function saveFiles(lab: Lab): Promise<NodeFiles> {
  const files = await saveNodeFiles(lab, 'node1', folder);
  const config = (map: string, key: string) =>
    sh(`${sshTo(lab, 'node1')} "kubectl --kubeconfig /etc/kubernetes/admin.conf -n kube-system get cm ${map} -o json" |
      node -pe 'JSON.parse(require("fs").readFileSync(0, "utf8")).data["${key}"]'`);
  const documents = [
    await config('kubeadm-config', 'ClusterConfiguration'),
    await config('kubelet-config', 'kubelet'),
    await config('kube-proxy', 'config.conf'),
  ];
  await writeFile(join(folder, 'kubeadm.yaml'), documents.join('---\n'));
  const pods = /podSubnet: (\S+)/.exec(documents[0] ?? '')?.[1] ?? '';
  const manifest = `${join(lab.paths.folder, '.kubexm', lab.name)}/network/flannel/*/kube-flannel.yml`;
  await sh(`sed 's#10.244.0.0/16#${pods}#' ${manifest} >${folder}/flannel.yml`);
  return files;
}

async function measureScript(files: NodeFiles): Promise<number> {
  const lab = await labUp({ name: NAME, machines: 3 });
  const nodes = lab.machines.map(({ name }) => name);
  const hosts = lab.machines.map(({ name, address }) => `${address} ${name}`);
  const master = lab.machines[0]!.address;
  const config = join(folder, 'kubeadm.yaml');
  const prepare = prepareNode(lab, files, [...hosts, `${master} lb.kubexm.local`]);
  await writeFile(
    join(folder, 'script.sh'),
    `set -e
for node in ${nodes.join(' ')}; do (
${prepare}
) & done; wait
${sshTo(lab, 'node1')} 'cat >/run/kubeadm.yaml; kubeadm init --config /run/kubeadm.yaml ${IGNORED}' <${config} >${folder}/init.log || { cat ${folder}/init.log; exit 1; }
join=$(${sshTo(lab, 'node1')} 'kubeadm token create --print-join-command')
${sshTo(lab, 'node1')} 'kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f -' <${folder}/flannel.yml >/dev/null
for node in ${nodes.slice(1).join(' ')}; do ${sshTo(lab, '$node')} "$join ${IGNORED}" >/dev/null & done; wait
${sshTo(lab, 'node1')} 'kubectl --kubeconfig /etc/kubernetes/admin.conf wait --for=condition=Ready node --all --timeout=600s' >/dev/null
${sshTo(lab, 'node1')} 'kubectl --kubeconfig /etc/kubernetes/admin.conf -n kube-system rollout status deployment/coredns --timeout=600s' >/dev/null
`,
  );
  const { s } = await timed(() => run('bash', [join(folder, 'script.sh')]));
  rows.push(`| the script, with kubeadm | ${s.toFixed(1)} |`);
  await labDown(NAME);
  return s;
}

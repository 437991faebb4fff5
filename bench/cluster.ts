import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { labDown } from '../src/lab/down.ts';
import { labUp, type Lab } from '../src/lab/up.ts';
import { clusterMirror, mirroredClusterFile } from '../test/lab/support/cluster-mirror.ts';
import { writeResults } from './results.ts';

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
  const script = await measureScript(first.images);
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
    `Ratio of create to script: ${ratio.toFixed(2)} (limit: 1.15). ${first.trips}`,
    '',
    `Ratio of binary mode to kubeadm: ${(binaries / first.create).toFixed(2)}.`,
  ]);
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

async function measureKubeadmMode() {
  const { lab, mirror, kubexm, create } = await createCluster('with kubeadm', { etcd: { type: 'kubeadm' } });
  const images = join(folder, 'images.tar');
  await saveFiles(lab, images);
  const again = await kubexm('create', 'cluster', '--skip-preflight', '-o', 'json');
  rows.push(`| the same again, up to date | ${again.s.toFixed(1)} |`);
  const deletion = await kubexm('delete', 'cluster', '--yes');
  rows.push(`| kubexm delete cluster | ${deletion.s.toFixed(1)} |`);
  await mirror.close();
  await labDown(NAME);
  const trips = Object.entries(JSON.parse(again.stdout).roundTrips).map(([host, count]) => `${host} ${String(count)}`);
  return {
    create,
    images,
    trips: `Round trips of a second run: ${trips.join(', ')}.`,
  };
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
  const { s: create } = await kubexm('create', 'cluster', '--skip-preflight');
  rows.push(`| kubexm create cluster, ${how} | ${create.toFixed(1)} |`);
  return { lab, mirror, kubexm, create };
}

/** Saves the files that kubexm copied to a node before it called kubeadm, and its images as one archive. */
async function saveFiles(lab: Lab, images: string): Promise<void> {
  const paths = [
    'usr/local/bin',
    'usr/local/sbin',
    'opt/cni/bin',
    'etc/containerd',
    'etc/crictl.yaml',
    'etc/systemd/system/containerd.service',
    'etc/systemd/system/kubelet.service',
    'etc/systemd/system/kubelet.service.d',
    'etc/sysctl.d/99-kubexm.conf',
  ];
  await sh(
    `${sshTo(lab, 'node1')} 'cd / && tar cf - $(ls -d ${paths.join(' ')} 2>/dev/null)' >${join(folder, 'files.tar')}`,
  );
  const exportImages = 'ctr -n k8s.io images export /run/images.tar $(ctr -n k8s.io images ls -q | grep -v sha256:)';
  await sh(`${sshTo(lab, 'node1')} '${exportImages} && cat /run/images.tar && rm /run/images.tar' >${images}`);
  await sh(`${sshTo(lab, 'node1')} 'dpkg-query -W -f "\${Package}\\n"' | sort >${join(folder, 'packages')}`);
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
}

async function measureScript(images: string): Promise<number> {
  const lab = await labUp({ name: NAME, machines: 3 });
  const nodes = lab.machines.map(({ name }) => name);
  const hosts = lab.machines.map(({ name, address }) => `${address} ${name}`);
  const master = lab.machines[0]!.address;
  const config = join(folder, 'kubeadm.yaml');
  const prepare = [
    `printf '%s\\n' ${[...hosts, `${master} lb.kubexm.local`].map((line) => `'${line}'`).join(' ')} >>/etc/hosts`,
    'apt-get -qq update >/dev/null; have=$(dpkg-query -W -f "\\${Package}\\n" | sort)',
    'DEBIAN_FRONTEND=noninteractive apt-get -qq -y install $(echo "$have" | comm -13 - /run/packages) >/dev/null 2>&1',
    'sysctl -q -w net.ipv4.ip_forward=1; sysctl -q --system >/dev/null 2>&1; systemctl daemon-reload; systemctl enable -q --now containerd kubelet',
    'ctr -n k8s.io images import /run/images.tar >/dev/null; rm /run/images.tar',
  ].join('\n');
  await writeFile(
    join(folder, 'script.sh'),
    `set -e
for node in ${nodes.join(' ')}; do (
  ${sshTo(lab, '$node')} 'tar xf - -C /' <${join(folder, 'files.tar')}
  ${sshTo(lab, '$node')} 'cat >/run/packages' <${join(folder, 'packages')}
  ${sshTo(lab, '$node')} 'cat >/run/images.tar' <${images}
  ${sshTo(lab, '$node')} sh <<'END'
${prepare}
END
) & done; wait
${sshTo(lab, 'node1')} 'cat >/run/kubeadm.yaml; kubeadm init --config /run/kubeadm.yaml --ignore-preflight-errors=SystemVerification,Mem,NumCPU' <${config} >${folder}/init.log || { cat ${folder}/init.log; exit 1; }
join=$(${sshTo(lab, 'node1')} 'kubeadm token create --print-join-command')
${sshTo(lab, 'node1')} 'kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f -' <${folder}/flannel.yml >/dev/null
for node in ${nodes.slice(1).join(' ')}; do ${sshTo(lab, '$node')} "$join --ignore-preflight-errors=SystemVerification,Mem,NumCPU" >/dev/null & done; wait
${sshTo(lab, 'node1')} 'kubectl --kubeconfig /etc/kubernetes/admin.conf wait --for=condition=Ready node --all --timeout=600s' >/dev/null
${sshTo(lab, 'node1')} 'kubectl --kubeconfig /etc/kubernetes/admin.conf -n kube-system rollout status deployment/coredns --timeout=600s' >/dev/null
`,
  );
  const { s } = await timed(() => run('bash', [join(folder, 'script.sh')]));
  rows.push(`| the script, with kubeadm | ${s.toFixed(1)} |`);
  await labDown(NAME);
  return s;
}

function sshTo(lab: Lab, node: string): string {
  return `ssh -F ${lab.paths.sshConfig} -o BatchMode=yes ${node}`;
}

function sh(command: string): Promise<string> {
  return run('bash', ['-c', `set -o pipefail; ${command}`]);
}

// Asynchronous, because this process serves the mirror while the program runs.
async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return stdout;
}

async function timed(action: () => Promise<string>): Promise<{ readonly s: number; readonly stdout: string }> {
  const start = performance.now();
  const stdout = await action();
  return { s: (performance.now() - start) / 1000, stdout };
}

import { dirname, join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { defineCommand } from '../command.ts';
import { formatDiagnostic, type Diagnostic } from '../../config/diagnostic/diagnostic.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';

export const createConfig = defineCommand({
  path: 'create config',
  summary: 'Write a commented cluster file',
  description:
    'Writes a cluster file from flags, with a comment on each field, and the JSON Schema that lets editors complete and check it.\nThe file is checked before it is written.',
  options: {
    file: { type: 'text', short: 'f', value: 'FILE', default: 'cluster.yaml', summary: 'file to write; - prints it' },
    name: { type: 'text', value: 'NAME', default: 'mycluster', summary: 'name of the cluster' },
    host: {
      type: 'list',
      value: 'NAME=ADDRESS',
      summary: 'a machine; may be repeated. An address alone is named node1, node2, …',
    },
    master: {
      type: 'list',
      value: 'NAME',
      summary: 'a master; by default the first host, or the first three of five and more',
    },
    etcd: { type: 'list', value: 'NAME', summary: 'an etcd host; by default the masters' },
    worker: {
      type: 'list',
      value: 'NAME',
      summary: 'a worker; by default every host that is no master, or the only host',
    },
    loadbalancer: { type: 'list', value: 'NAME', summary: 'a load balancer host' },
    user: { type: 'text', value: 'USER', default: 'root', summary: 'user to log in as' },
    key: { type: 'text', value: 'FILE', summary: 'private key file; by default ~/.ssh/id_rsa, then the agent' },
    kubernetesVersion: { type: 'text', value: 'VERSION', summary: 'Kubernetes version' },
    type: {
      type: 'choice',
      choices: ['kubeadm', 'kubexm'],
      default: 'kubeadm',
      summary: 'deploy by kubeadm, or plain binaries under systemd',
    },
    etcdType: {
      type: 'choice',
      choices: ['kubexm', 'kubeadm'],
      default: 'kubexm',
      summary: 'a service of its own, or static pods of kubeadm',
    },
    runtime: {
      type: 'choice',
      choices: ['containerd', 'docker', 'cri-o', 'isulad'],
      default: 'containerd',
      summary: 'container runtime',
    },
    network: {
      type: 'choice',
      choices: ['calico', 'flannel', 'cilium', 'kube-ovn', 'none'],
      default: 'calico',
      summary: 'network plugin',
    },
    balancer: {
      type: 'choice',
      choices: ['haproxy', 'nginx', 'kube-vip', 'kubexm-kh', 'kubexm-kn', 'external'],
      summary: 'load balancer of the API servers; haproxy by default when there are several masters',
    },
    dryRun,
    podsCidr: { type: 'text', value: 'CIDR', summary: 'network of pods; 10.233.64.0/18 by default' },
    servicesCidr: { type: 'text', value: 'CIDR', summary: 'network of services; 10.233.0.0/18 by default' },
    vip: { type: 'text', value: 'ADDRESS', summary: 'virtual IP, or address of your load balancer' },
  },
  examples: [
    { command: 'kubexm create config --host 198.51.100.11', does: 'One machine that does everything' },
    {
      command:
        'kubexm create config -f ha.yaml --name prod --host a=198.51.100.11 --host b=198.51.100.12 --host c=198.51.100.13 --master a --master b --master c --worker a --worker b --worker c',
      does: 'Three masters that work, too',
    },
    {
      command: 'kubexm create config -f - --host 198.51.100.11 --type kubexm --network flannel',
      does: 'Only look at it',
    },
  ],
  async run({ options, global, console }) {
    const { draftCluster } = await import('../../config/draft/draft.ts');
    const { writeDraft } = await import('../../config/draft/write.ts');
    const { checkClusterText } = await import('../../config/load/check.ts');
    const text = writeDraft(draftCluster(options));
    const { cluster, diagnostics } = checkClusterText(text, options.file);
    if (!cluster) throw fail('USAGE', { message: whatIsWrong(diagnostics), help: 'kubexm create config --help' });
    for (const { severity, path, message, got } of diagnostics) {
      if (severity !== 'error') console.note(`${path}: ${message}${got === undefined ? '' : `, got ${got}`}`, severity);
    }
    if (options.file === '-') return console.print(text.trimEnd());
    if (options.dryRun) return printDryRun(console, [`write ${options.file} and the schema beside it`]);
    if (options.file === '')
      throw fail('USAGE', { message: 'The name of the file is empty.', help: 'kubexm create config --help' });
    const { existsSync } = await import('node:fs');
    if (existsSync(options.file) && !global.yes) throw fail('FILE_EXISTS', { path: options.file });
    await saveDraft(options.file, text);
    console.print(
      `${console.color.green('✓')} ${options.file} is written.\n\n  Next   kubexm validate cluster -f ${options.file}`,
    );
  },
});

/** The flags make a file that is not there yet, so places in it would say nothing. */
const whatIsWrong = (diagnostics: readonly Diagnostic[]) =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => formatDiagnostic({ ...diagnostic, place: '' }).trimStart())
    .join('\n');

/** The schema goes beside the file, so that the editor finds it without a network. */
async function saveDraft(file: string, text: string): Promise<void> {
  const { ensureFolder } = await import('../../util/ensure-folder.ts');
  const { writeFileAtomically } = await import('../../util/write-file.ts');
  const { clusterJsonSchema } = await import('../../config/schema/json-schema.ts');
  const folder = join(dirname(file), '.kubexm');
  await ensureFolder(dirname(file), 0o755);
  await writeFileAtomically(file, text, 0o600);
  await ensureFolder(folder, 0o700);
  await writeFileAtomically(
    join(folder, 'cluster.schema.json'),
    `${JSON.stringify(clusterJsonSchema(), null, 2)}\n`,
    0o644,
  );
}

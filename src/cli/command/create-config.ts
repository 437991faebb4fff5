import { dirname, join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { EXTERNAL_LOAD_BALANCERS, INTERNAL_LOAD_BALANCERS, KUBERNETES_TYPES } from '../../config/data/choices.ts';
import { CONTAINER_RUNTIME_NAMES } from '../../config/model/container-runtimes.ts';
import { NETWORK_PLUGIN_NAMES } from '../../config/model/network-plugins.ts';
import { formatDiagnostic, type Diagnostic } from '../../config/diagnostic/diagnostic.ts';
import { defineCommand } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';

export const createConfig = defineCommand({
  path: 'create config',
  summary: 'Write a commented cluster file',
  description:
    'Writes a cluster file from flags, with a comment for each field, and a JSON Schema for completion and validation in editors.\nSpecify hosts by name or address, or as a range: node[1:3], 198.51.100.[11:13].\nThe cluster file is validated before it is written.',
  options: {
    file: {
      type: 'text',
      short: 'f',
      value: 'FILE',
      default: 'cluster.yaml',
      summary: 'file to write, or - for stdout',
    },
    name: { type: 'text', value: 'NAME', default: 'mycluster', summary: 'name of the cluster' },
    host: {
      type: 'list',
      value: 'NAME=ADDRESS',
      summary: 'host (repeatable); hosts without a name are called node1, node2, …',
    },
    master: {
      type: 'list',
      value: 'HOST',
      summary: 'master (repeatable); defaults to the first host, or to the first three hosts if there are five or more',
    },
    etcd: { type: 'list', value: 'HOST', summary: 'etcd host (repeatable); defaults to the masters' },
    worker: {
      type: 'list',
      value: 'HOST',
      summary: 'worker (repeatable); defaults to all hosts that are not masters, or to the masters if there are none',
    },
    loadbalancer: { type: 'list', value: 'HOST', summary: 'load balancer host (repeatable)' },
    user: { type: 'text', value: 'USER', default: 'root', summary: 'SSH user' },
    key: {
      type: 'text',
      value: 'FILE',
      summary: 'SSH private key file; defaults to ~/.ssh/id_rsa, then the SSH agent',
    },
    kubernetesVersion: { type: 'text', value: 'VERSION', summary: 'Kubernetes version' },
    type: {
      type: 'choice',
      choices: KUBERNETES_TYPES,
      default: 'kubeadm',
      summary: 'installation type: kubeadm, or kubexm (binaries with systemd units)',
    },
    etcdType: {
      type: 'choice',
      choices: ['kubexm', 'kubeadm'],
      default: 'kubexm',
      summary: 'etcd type: kubexm (systemd service) or kubeadm (static Pods)',
    },
    runtime: {
      type: 'choice',
      choices: CONTAINER_RUNTIME_NAMES,
      default: 'containerd',
      summary: 'container runtime',
    },
    network: {
      type: 'choice',
      choices: NETWORK_PLUGIN_NAMES,
      default: 'calico',
      summary: 'network plugin',
    },
    balancer: {
      type: 'choice',
      choices: [...INTERNAL_LOAD_BALANCERS, ...EXTERNAL_LOAD_BALANCERS],
      summary: 'load balancer for the API servers; defaults to haproxy for several masters',
    },
    dryRun,
    podsCidr: { type: 'text', value: 'CIDR', summary: 'pod network CIDR; defaults to 10.233.64.0/18' },
    servicesCidr: { type: 'text', value: 'CIDR', summary: 'service network CIDR; defaults to 10.233.0.0/18' },
    vip: { type: 'text', value: 'ADDRESS', summary: 'virtual IP, or address of the external load balancer' },
  },
  examples: [
    { command: 'kubexm create config --host 198.51.100.11', does: 'One host with all roles' },
    {
      command:
        "kubexm create config -f ha.yaml --name prod --host '198.51.100.[11:13]' --master 'node[1:3]' --worker 'node[1:3]'",
      does: 'Three masters that also run workloads',
    },
    {
      command: 'kubexm create config -f - --host 198.51.100.11 --type kubexm --network flannel',
      does: 'Print the cluster file instead of writing it',
    },
  ],
  async run({ options, global, console }) {
    const { draftCluster } = await import('../../config/draft/draft.ts');
    const { writeDraft } = await import('../../config/draft/write.ts');
    const { checkClusterText } = await import('../../config/load/check.ts');
    const text = writeDraft(draftCluster(options));
    const { cluster, diagnostics } = checkClusterText(text, options.file);
    if (!cluster) throw fail('USAGE', { message: formatErrors(diagnostics), help: 'kubexm create config --help' });
    for (const { severity, path, message, got } of diagnostics) {
      if (severity !== 'error') console.note(`${path}: ${message}${got === undefined ? '' : `, got ${got}`}`, severity);
    }
    if (options.file === '-') return console.printUnmasked(text.trimEnd());
    if (options.dryRun) return printDryRun(console, [`write ${options.file} and its JSON Schema`]);
    if (options.file === '')
      throw fail('USAGE', { message: 'The file name is empty.', help: 'kubexm create config --help' });
    const { existsSync } = await import('node:fs');
    if (existsSync(options.file) && !global.yes) throw fail('FILE_EXISTS', { path: options.file });
    await saveDraft(options.file, text);
    console.print(
      `${console.color.green('✓')} Wrote ${options.file}.\n\n  Next   kubexm validate cluster -f ${options.file}`,
    );
  },
});

/** Formats errors without line numbers, because the file does not exist yet. */
const formatErrors = (diagnostics: readonly Diagnostic[]) =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => formatDiagnostic({ ...diagnostic, place: '' }).trimStart())
    .join('\n');

/** Writes the cluster file, and the JSON Schema to the same directory, where editors find it without network access. */
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

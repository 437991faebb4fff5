import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { runKubexm } from '../lab/support/lab-cluster.ts';
import { clusterMirror, mirroredClusterFile, needsClusterMirror } from '../lab/support/cluster-mirror.ts';
import { resolveName } from '../lab/support/resolve-name.ts';
import { hostState } from '../lab/support/host-state.ts';
import { labNames, ssh, sshText } from '../lab/support.ts';
import { kubectlOn } from '../lab/support/verify-cluster.ts';

const named = await labNames();
const name = named('addons');
const VERSION = '1.36.3';
const PAUSE = 'registry.k8s.io/pause:3.10.2';
const HELM = 'env KUBECACHEDIR=/run/kubectl helm --kubeconfig /etc/kubernetes/admin.conf';

describe(
  'addons and DNS of a single-node cluster',
  { timeout: 1_200_000, ...(await needsClusterMirror(VERSION, 'helm')) },
  () => {
    let lab: Lab;
    let mirror: MirrorServer;
    let file: string;
    let before: readonly string[];
    const kubectl = kubectlOn(() => lab);
    const call = (...args: readonly string[]) => runKubexm(lab, file, ...args);
    const create = async () => {
      const { exit, stderr } = await call('create', 'cluster', '--skip-preflight');
      expect(exit, stderr).toBe(0);
      return stderr;
    };
    const write = async (address: string, word: string) => {
      const cluster = parse(await readFile(file, 'utf8'));
      const addons = addonsIn(lab.paths.folder, word);
      const dns = { dnsEtcHosts: `${address} static.example.com`, coredns: COREDNS };
      await writeFile(file, stringify({ ...cluster, spec: { ...cluster.spec, addons, dns } }), { mode: 0o600 });
    };

    beforeAll(async () => {
      lab = await labUp({ name, machines: 1 });
      mirror = await clusterMirror(lab, VERSION, 'helm');
      file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec: { etcd: { type: 'kubeadm' } } });
      await writeSources(lab.paths.folder);
      await write('192.0.2.1', 'one');
      before = await hostState(lab.machines[0]!);
    });
    afterAll(() => mirror.close());

    it('are installed with the cluster', async () => {
      await create();
      expect(await kubectl('-n mine get deployment idle -o jsonpath={.status.readyReplicas}')).toBe('1');
      expect(await kubectl('get gadgets.example.com first -o jsonpath={.spec.size}')).toBe('3');
      expect(await kubectl('-n tiny get configmap tiny -o jsonpath={.data.word}')).toBe('one');
      expect(await resolveName(lab, 'node1', '10.233.0.10', 'static.example.com')).toBe('192.0.2.1');
      expect(await resolveName(lab, 'node1', '10.233.0.10', 'kubernetes.default.my.domain')).toBe('10.233.0.1');
    });

    it('stay unchanged on a re-run', async () => {
      expect(await create()).toContain('Nothing to do');
    });

    it('leave no helm files except the binary', async () => {
      const left =
        'ls -d /root/.cache/helm /root/.config/helm /root/.local/share/helm /root/.kube /tmp/tmp.* 2>/dev/null; true';
      expect(await sshText(lab, 'node1', left)).toBe('');
    });

    it('follow changes to the cluster file', async () => {
      await write('192.0.2.2', 'two');
      await writeFile(
        join(lab.paths.folder, 'tiny', 'templates', 'config.yaml'),
        `${CONFIG}  more: yes, without another version\n`,
      );
      await create();
      expect(await kubectl('-n tiny get configmap tiny -o jsonpath={.data.word},{.data.more}')).toBe(
        'two,yes, without another version',
      );
      expect(await resolveName(lab, 'node1', '10.233.0.10', 'static.example.com')).toBe('192.0.2.2');
      expect(JSON.parse(await sshText(lab, 'node1', `${HELM} list -n tiny -o json`))).toMatchObject([
        { revision: '2', status: 'deployed', chart: 'tiny-0.1.0' },
      ]);
    });

    it('are repaired after helm was killed', async () => {
      const chart = await sshText(lab, 'node1', 'mkdir -p /tmp/c/templates && echo /tmp/c');
      await sshText(lab, 'node1', `printf '%s' '${CHART}' >${chart}/Chart.yaml`);
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'never' } };
      const never = { ...pod, spec: { containers: [{ name: 'never', image: 'nowhere.invalid/never:1' }] } };
      await sshText(lab, 'node1', `printf '%s' '${JSON.stringify(never)}' >${chart}/templates/never.yaml`);
      await sshText(lab, 'node1', `${HELM} uninstall tiny -n tiny --wait`);
      await ssh(lab, 'node1', `timeout -s KILL 5 ${HELM} install tiny ${chart} -n tiny --wait`);
      expect(await sshText(lab, 'node1', `${HELM} list -a -n tiny -o json`)).toContain('pending-install');
      await create();
      expect(await kubectl('-n tiny get configmap tiny -o jsonpath={.data.word}')).toBe('two');
      await sshText(lab, 'node1', `rm -r ${chart}`);
    });

    it('are listed, and can be uninstalled and reinstalled one by one', async () => {
      const list = async () => JSON.parse((await call('addon', 'list', '-o', 'json')).stdout).addons;
      expect(await list()).toMatchObject([
        { name: 'mine', type: 'yaml', state: 'installed' },
        { name: 'tiny', type: 'helm', state: 'installed' },
      ]);
      const { exit, stderr } = await call('addon', 'uninstall', 'mine', 'tiny', '--yes');
      expect(exit, stderr).toBe(0);
      expect(await list()).toMatchObject([{ state: 'not as configured' }, { state: 'not as configured' }]);
      expect(await kubectl('get namespace mine --ignore-not-found -o name')).toBe('');
      const again = await call('addon', 'install', 'tiny');
      expect(again.exit, again.stderr).toBe(0);
      expect(await list()).toMatchObject([{ state: 'not as configured' }, { state: 'installed' }]);
    });

    it('has a NodeLocalDNS manifest that the API server accepts', async () => {
      const objects = await readFile('test/golden/addon/nodelocaldns.yaml', 'utf8');
      const accepted = await kubectl(`apply --server-side --dry-run=server -o name -f - <<'END'\n${objects}\nEND`);
      expect(accepted).toBe('serviceaccount/node-local-dns\nconfigmap/node-local-dns\ndaemonset.apps/node-local-dns');
    });

    it('are removed with the cluster, and the machine is restored', async () => {
      const { exit, stderr } = await call('delete', 'cluster', '--yes');
      expect(exit, stderr).toBe(0);
      expect(await hostState(lab.machines[0]!)).toEqual(before);
    });
  },
);

/** Uses every CoreDNS option; the addresses are not served. */
const COREDNS = {
  additionalConfigs: 'log\n',
  rewriteBlock: String.raw`rewrite stop {
  name regex (.*)\.my\.domain {1}.svc.cluster.local
  answer name (.*)\.svc\.cluster\.local {1}.my.domain
}
`,
  externalZones: [
    { zones: ['corp.example', 'other.example:1053'], nameservers: ['127.0.0.1:9'], cache: 10 },
    {
      zones: ['mydomain.tld'],
      nameservers: ['127.0.0.1:9'],
      rewrite: ['name substring a.tld b.default.svc.cluster.local'],
    },
  ],
};

const addonsIn = (folder: string, word: string) => [
  { name: 'mine', type: 'yaml', namespace: 'mine', source: { path: join(folder, 'mine.yaml') } },
  { name: 'tiny', type: 'helm', namespace: 'tiny', source: { path: join(folder, 'tiny') }, values: { word } },
];

const CHART = '{"apiVersion":"v2","name":"tiny","version":"0.1.0"}';

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: tiny\ndata:\n  word: {{ .Values.word }}\n';

const idle = (namespace?: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'idle', ...(namespace !== undefined && { namespace }) },
  spec: {
    selector: { matchLabels: { app: 'idle' } },
    template: {
      metadata: { labels: { app: 'idle' } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'idle', image: PAUSE }] },
    },
  },
});

/** The same file contains this CRD and an object of its kind, so the CRD must be established first. */
const gadgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const first = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'first' }, spec: { size: 3 } };

async function writeSources(folder: string): Promise<void> {
  const objects = [first, idle(), gadgets];
  await writeFile(join(folder, 'mine.yaml'), objects.map((each) => stringify(each)).join('---\n'));
  await mkdir(join(folder, 'tiny', 'templates'), { recursive: true });
  await writeFile(join(folder, 'tiny', 'Chart.yaml'), CHART);
  await writeFile(join(folder, 'tiny', 'values.yaml'), 'word: none\n');
  await writeFile(join(folder, 'tiny', 'templates', 'idle.yaml'), stringify(idle()));
  await writeFile(join(folder, 'tiny', 'templates', 'config.yaml'), CONFIG);
}

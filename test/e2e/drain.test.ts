import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCluster } from '../../src/config/load/load.ts';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { sh } from '../../src/runner/command.ts';
import { openSession } from '../../src/runtime/session/session.ts';
import { kubectl as kubectlCommand } from '../../src/step/kubernetes-object/kubectl.ts';
import { clusterMirror, needsClusterMirror } from '../lab/support/cluster-mirror.ts';
import { SCALE_VERSION, scaleCluster, type ScaleCluster } from '../lab/support/scale-cluster.ts';
import type { Kubectl } from '../lab/support/verify-cluster.ts';
import { labNames } from '../lab/support.ts';

const named = await labNames();
const name = named('drain');
const GROUPS = { master: ['node1', 'node2'], worker: ['node3', 'node4'] };

describe('draining a node', await needsClusterMirror(SCALE_VERSION, 'haproxy'), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let cluster: ScaleCluster;
  let kubectl: Kubectl;

  beforeAll(async () => {
    lab = await labUp({ name, machines: 4 });
    mirror = await clusterMirror(lab, SCALE_VERSION, 'haproxy');
    const spec = { controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' } };
    cluster = await scaleCluster(lab, mirror, { type: 'kubeadm', groups: GROUPS, spec });
    await cluster.run('create', 'cluster', '--skip-preflight');
    kubectl = cluster.kubectl({ master: ['node2'] });
  });
  afterAll(() => mirror.close());

  const apply = (...objects: readonly object[]) =>
    kubectl(`apply -f - <<'END'\n${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })}\nEND`);
  const podsOn = async (node: string) =>
    (await kubectl(`get pods --field-selector spec.nodeName=${node} -o 'jsonpath={.items[*].metadata.name}'`)).trim();
  const isCordoned = async (node: string) =>
    (await kubectl(`get node ${node} -o 'jsonpath={.spec.unschedulable}'`)).trim() === 'true';

  /** Starts kubexm; `hears` resolves when it prints a text. */
  const start = (...args: readonly string[]) => {
    const child = spawn(resolve('bin/kubexm'), [...args, '-f', cluster.file, '--workdir', lab.paths.folder], {
      env: { ...process.env, NO_COLOR: '1' },
    });
    let output = '';
    const waiting: { readonly text: string; readonly done: () => void }[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        for (const { text: wanted, done } of waiting) if (output.includes(wanted)) done();
      });
    const ended = new Promise<number>((done) => child.once('close', (code) => done(code ?? -1)));
    return {
      ended: ended.then((exit) => ({ exit, output })),
      hears: (text: string) =>
        Promise.race([
          new Promise<void>((done) => void waiting.push({ text, done })),
          ended.then((exit) => Promise.reject(new Error(`kubexm exited with ${exit}:\n${output}`))),
        ]),
      interrupt: () => child.kill('SIGINT'),
    };
  };

  /** Runs a Deployment on node3 alone. */
  const deployOnNode3 = async (app: string, replicas: number, template: object = {}) => {
    await cluster.run('cordon', 'node', 'node4');
    await apply(deployment(app, replicas, template));
    await kubectl(`rollout status deployment/${app} --timeout=300s`);
    await cluster.run('uncordon', 'node', 'node4');
  };

  it('is simulated with --dry-run', async () => {
    await deployOnNode3('web', 2);
    await apply(budget('web', 2), barePod('debug', 'node3'));
    const { exit, stdout } = await cluster.call('drain', 'node', 'node3', '--dry-run');
    expect(exit, stdout).toBe(14);
    expect(stdout).toContain('default/debug has no controller');
    expect(stdout).toMatch(/default\/web-\S+ the disruption budget web never allows it/);
    expect(await isCordoned('node3')).toBe(false);
  });

  it('is refused while a pod without a controller runs there', async () => {
    const { exit, stderr } = await cluster.call('drain', 'node', 'node3');
    expect(exit, stderr).toBe(14);
    expect(stderr).toContain('DRAIN_REFUSED');
    expect(await isCordoned('node3')).toBe(false);
    await kubectl('delete pod debug --grace-period=1');
  });

  it('times out at a budget that never opens, and uncordons the node', async () => {
    const { exit, stderr } = await cluster.call('drain', 'node', 'node3', '--timeout', '20s');
    expect(exit, stderr).toBe(12);
    expect(stderr).toMatch(/default\/web-\S+ waits for the disruption budget web since \d\d:\d\d:\d\d/);
    expect(await isCordoned('node3')).toBe(false);
    expect((await podsOn('node3')).split(' ')).toHaveLength(2);
  });

  it('is interrupted, resumed, and ends when the budget opens', async () => {
    const drain = start('drain', 'node', 'node3');
    await drain.hears('waits for the disruption budget web');
    drain.interrupt();
    expect((await drain.ended).exit).toBe(130);
    expect(await isCordoned('node3')).toBe(true);
    const resumed = start('drain', 'node', 'node3', '--resume');
    await resumed.hears('waits for the disruption budget web');
    await kubectl('scale deployment/web --replicas=3');
    const { exit, output } = await resumed.ended;
    expect(exit, output).toBe(0);
    expect(await podsOn('node3')).toBe('');
    await cluster.run('uncordon', 'node', 'node3');
  });

  it('names the finalizer that holds a pod', async () => {
    await deployOnNode3('held', 1, { finalizers: ['example.com/hold'] });
    const { exit, stderr } = await cluster.call('drain', 'node', 'node3', '--timeout', '60s', '--grace-period', '1');
    expect(exit, stderr).toBe(12);
    expect(stderr).toContain('held by the finalizer example.com/hold');
    await kubectl('delete deployment held --wait=false');
    for (const pod of (await kubectl("get pods -l app=held -o 'jsonpath={.items[*].metadata.name}'")).split(' '))
      await kubectl(`patch pod ${pod} --type merge -p '{"metadata":{"finalizers":null}}'`);
  });

  it('continues through another master when the API server of the first one stops', async () => {
    await kubectl('scale deployment/web --replicas=2');
    await kubectl('rollout status deployment/web --timeout=300s');
    const first = lab.machines.find((machine) => machine.name === 'node1')!;
    const node = (await kubectl("get pods -l app=web -o 'jsonpath={.items[0].spec.nodeName}'")).trim();
    const drain = start('drain', 'node', node);
    await drain.hears('waits for the disruption budget web');
    const manifest = '/etc/kubernetes/manifests/kube-apiserver.yaml';
    await scriptOn(first, `mv ${manifest} /root/; while pgrep -x kube-apiserver >/dev/null; do sleep 1; done`);
    await kubectl('scale deployment/web --replicas=3');
    const { exit, output } = await drain.ended;
    await scriptOn(first, `mv /root/kube-apiserver.yaml ${manifest}`);
    expect(exit, output).toBe(0);
    expect(await podsOn(node)).not.toContain('web-');
    await cluster.run('uncordon', 'node', node);
  });

  it('uses kubectl where sshd forbids forwarding', async () => {
    const masters = lab.machines.filter((machine) => GROUPS.master.includes(machine.name));
    const conf = '/etc/ssh/sshd_config.d/no-forwarding.conf';
    for (const machine of masters)
      await scriptOn(machine, `echo AllowTcpForwarding no >${conf}; systemctl restart ssh`);
    try {
      await kubectl('delete pdb web');
      const node = (await kubectl("get pods -l app=web -o 'jsonpath={.items[0].spec.nodeName}'")).trim();
      const { exit, stdout } = await cluster.call('drain', 'node', node, '--dry-run');
      expect(exit, stdout).toBe(0);
      const drained = await cluster.run('drain', 'node', node);
      expect(drained.stderr).toContain('evicted default/web-');
      expect(await podsOn(node)).not.toContain('web-');
      await cluster.run('uncordon', 'node', node);
      expect(await isCordoned(node)).toBe(false);
    } finally {
      for (const machine of masters) await scriptOn(machine, `rm ${conf}; systemctl restart ssh`);
    }
  });

  it('prints how long a call takes', async () => {
    const loaded = await loadCluster(cluster.file);
    await using session = await openSession(loaded, lab.paths.folder);
    const connector = session.connector(session.hosts.withRole('master')[0]!);
    const viaTunnel = await median(30, () => session.api.list('nodes'));
    const viaKubectl = await median(10, () => connector.query(kubectlCommand(sh`get nodes -o json`).text));
    console.log(`list nodes: ${viaTunnel.toFixed(1)} ms through the tunnel, ${viaKubectl.toFixed(1)} ms with kubectl`);
    expect(viaTunnel).toBeLessThan(viaKubectl / 5);
  });
});

async function median(times: number, call: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  await call();
  for (let time = 0; time < times; time++) {
    const started = performance.now();
    await call();
    taken.push(performance.now() - started);
  }
  return taken.toSorted((one, other) => one - other)[Math.floor(times / 2)]!;
}

const container = {
  name: 'main',
  image: 'docker.io/library/busybox:1.37.0',
  command: ['sleep', '86400'],
  resources: { requests: { cpu: '10m', memory: '16Mi' } },
};

const deployment = (app: string, replicas: number, metadata: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: app, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app }, ...metadata },
      spec: { terminationGracePeriodSeconds: 1, containers: [container] },
    },
  },
});

const budget = (app: string, minAvailable: number) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: app, namespace: 'default' },
  spec: { minAvailable, selector: { matchLabels: { app } } },
});

const barePod = (pod: string, nodeName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: pod, namespace: 'default' },
  spec: { nodeName, terminationGracePeriodSeconds: 1, containers: [container] },
});

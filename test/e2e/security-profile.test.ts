import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { labDown } from '../../src/lab/down.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { labNames, sshText } from '../lab/support.ts';
import { kubectlOn, verifyCluster } from '../lab/support/verify-cluster.ts';
import { TYPES } from './support/cluster-types.ts';
import { earlierVersion } from './support/earlier-version.ts';

/** The last commit without security profiles, whose kubelets have self-signed certificates. */
const PREVIOUS = '5eba4f1';

const named = await labNames();
const VERSION = '1.36.3';
const previous = earlierVersion(PREVIOUS);

async function prepare(name: string, machines: number, spec: Readonly<Record<string, object>>) {
  onTestFinished(async () => void (await labDown(name)));
  const lab = await labUp({ name, machines });
  const mirror = await clusterMirror(lab, VERSION);
  onTestFinished(() => mirror.close());
  const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec });
  const target = ['-f', file, '--workdir', lab.paths.folder];
  const create = async () => {
    const { exit, stderr } = await kubexm(['create', 'cluster', '--skip-preflight', ...target], HOME());
    expect(exit, stderr).toBe(0);
    return stderr;
  };
  const remove = async () => {
    const { exit, stderr } = await kubexm(['delete', 'cluster', '--yes', ...target], HOME());
    expect(exit, stderr).toBe(0);
  };
  const states = () => Promise.all(lab.machines.map(hostState));
  return { lab, file, target, create, remove, states, before: await states(), kubectl: kubectlOn(() => lab) };
}

const HOME = () => ({ KUBEXM_HOME: process.env['KUBEXM_HOME']! });

/** Requests without credentials to the API server on a machine, by HTTP status. */
const anonymous = (lab: Lab, path: string) =>
  sshText(lab, 'node1', `curl -sk -o /dev/null -w '%{http_code}' https://127.0.0.1:6443${path}`);

async function expectHardened(lab: Lab, kubectl: ReturnType<typeof kubectlOn>): Promise<void> {
  expect(await anonymous(lab, '/readyz')).toBe('200');
  expect(await anonymous(lab, '/version')).toBe('401');
  const privileged = JSON.stringify({
    spec: { containers: [{ name: 'c', image: 'busybox', securityContext: { privileged: true } }] },
  });
  const denied = kubectl(`run bad --image=busybox --overrides='${privileged}' 2>&1 || true`);
  expect(await denied).toContain('violates PodSecurity');
  expect(await sshText(lab, 'node1', 'ls /var/log/kubernetes/audit')).toContain('audit.log');
  await kubectl('create secret generic probe --from-literal=word=plaintext-marker');
  const etcd =
    '--cacert /etc/kubexm/etcd/ssl/ca.pem --cert /etc/kubexm/etcd/ssl/node.pem --key /etc/kubexm/etcd/ssl/node-key.pem';
  const stored = (prefix: string) =>
    sshText(
      lab,
      'node1',
      `ETCDCTL_API=3 etcdctl ${etcd} --endpoints https://127.0.0.1:2379 get --prefix ${prefix} --print-value-only | tr -d '\\0'`,
    );
  expect(await stored('/registry/secrets/default/probe')).toContain('k8s:enc:secretbox');
  expect(await stored('/registry/secrets/')).not.toContain('plaintext-marker');
  await kubectl('delete secret probe');
}

it.each(TYPES)(
  'a %s cluster with the CIS profile works, is up to date, and is deleted without leftovers',
  async (type) => {
    const spec = { kubernetes: { type }, security: { profile: 'cis' } };
    const { lab, create, remove, states, before, kubectl } = await prepare(named(`cis-${type}`), 2, spec);
    await create();
    await verifyCluster(kubectl);
    await expectHardened(lab, kubectl);
    expect(await create()).toContain('Nothing to do');
    await remove();
    expect(await states()).toEqual(before);
  },
  3_600_000,
);

it.each(TYPES)(
  'a %s cluster of the previous version is hardened by a re-run, one master after another',
  async (type) => {
    const masters = ['node1', 'node2', 'node3'];
    const { lab, file, target, create, remove, states, before, kubectl } = await prepare(named(`harden-${type}`), 4, {
      kubernetes: { type },
      roleGroups: { etcd: masters, master: masters, worker: ['node4'] },
      controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' },
    });
    const created = spawn(previous(), ['create', 'cluster', '--skip-preflight', ...target], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(created, 'close')).toEqual([0, null]);
    await kubectl('create secret generic old --from-literal=word=plaintext-marker');

    const first = await watched(lab, create);
    expect(first.result).not.toContain('Nothing to do');
    await verifyCluster(kubectl);
    expect(await create()).toContain('Nothing to do');

    const cluster = parse(await readFile(file, 'utf8'));
    await writeFile(file, stringify({ ...cluster, spec: { ...cluster.spec, security: { profile: 'cis' } } }));
    const second = await watched(lab, create);
    expect([first.longest, second.longest].every((seconds) => seconds <= 5)).toBe(true);
    await verifyCluster(kubectl);
    await expectHardened(lab, kubectl);
    expect(await create()).toContain('Nothing to do');
    await remove();
    expect(await states()).toEqual(before);
  },
  3_600_000,
);

/** Requests the API through the load balancer of the worker twice a second; `longest` is the longest outage in seconds. */
async function watched(lab: Lab, action: () => Promise<string>) {
  const script = `while [ ! -e /run/stop ]; do curl -sk -m 2 -o /dev/null -w '%{http_code}\\n' https://127.0.0.1:6443/readyz; sleep 0.5; done`;
  await sshText(
    lab,
    'node4',
    `rm -f /run/stop; nohup sh -c "${script.replaceAll('$', '\\$')}" >/run/watched 2>/dev/null </dev/null & true`,
  );
  const result = await action();
  const log = await sshText(lab, 'node4', 'touch /run/stop; sleep 3; cat /run/watched; rm -f /run/stop /run/watched');
  const codes = log.trim().split('\n');
  const outages = codes
    .join(' ')
    .split(/200/)
    .map((gap) => gap.trim().split(/\s+/).filter(Boolean).length);
  console.log(`${codes.length} requests, ${codes.filter((code) => code !== '200').length} failed`);
  return { result, longest: Math.max(...outages) / 2 };
}

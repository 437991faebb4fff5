import { readFileSync } from 'node:fs';
import { fail } from '../../../src/common/errors/errors.ts';
import type { Host } from '../../../src/common/host.ts';
import { loadCluster } from '../../../src/config/load/load.ts';
import type { Cluster } from '../../../src/config/model/cluster.ts';
import { issueCa } from '../../../src/pki/issue.ts';
import { makeKey } from '../../../src/pki/key.ts';
import type { ExecResult } from '../../../src/connector/connector.ts';
import { createRunner } from '../../../src/runner/create-runner.ts';
import type { Facts } from '../../../src/runner/facts.ts';
import { hostsOf } from '../../../src/runtime/session/hosts.ts';
import { clusterApi } from '../../../src/runtime/session/kubernetes-api.ts';
import type { Session } from '../../../src/runtime/session/session.ts';
import { fakeHost, no, ok, type FakeHost } from '../../fake/fake-host.ts';
import { fakeFacts } from '../../fake/fake-runner.ts';

/** The time at which the recorded cluster is probed. */
export const NOW = new Date('2026-11-17T12:00:00Z');

/** A cluster of four hosts that respond with recorded output. */
export interface RecordedCluster {
  readonly cluster: Cluster;
  readonly session: Session;
  fake(name: string): FakeHost;
}

export const fixture = (name: string) => readFileSync(`test/fixtures/kubectl/${name}.json`, 'utf8');

/** Deviations from the recording. */
export interface Overrides {
  /** Unreachable hosts. */
  readonly dead?: readonly string[];
  readonly facts?: Readonly<Record<string, Partial<Facts>>>;
  /** Responses of all hosts, or of the given host; these take precedence. */
  readonly answers?: readonly (readonly [pattern: RegExp, answer: ExecResult, host?: string])[];
}

/** Three masters with etcd, the third of which also runs workloads, and a worker. */
export async function recordedCluster({
  dead = [],
  facts = {},
  answers = [],
}: Overrides = {}): Promise<RecordedCluster> {
  const overrides = ['spec.etcd.type=kubeadm', 'spec.roleGroups.etcd=[]'];
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides });
  const certificate = await issueCa({ name: 'ca', commonName: 'kubernetes', days: 3650 }, await makeKey(), NOW);
  const fakes = new Map(cluster.hosts.map(({ name }) => [name, fakeHost(name)]));
  for (const [name, fake] of fakes) {
    for (const [pattern, answer, host = name] of answers) if (host === name) fake.answer(pattern, () => answer);
    answerQueries(fake, certificate);
  }
  const fake = (name: string) => fakes.get(name)!;
  for (const name of dead)
    fake(name).fault(/./, {
      error: fail('HOST_UNREACHABLE', { host: name, address: '10.0.0.3', seconds: 30, reason: 'no route' }),
    });
  const hosts = hostsOf(cluster);
  const connector = ({ name }: Host) => fake(name);
  const session: Session = {
    cluster,
    hosts,
    connector,
    api: clusterApi({ cluster, workdir: NOWHERE, hosts, connector }).bind(),
    reach: async ({ name }) => {
      await fake(name).query('true');
      return createRunner(fake(name), { ...fakeFacts(name), mounts: [ROOT], ...facts[name] });
    },
    unreached: new Map(),
    stepContexts: () => () => Promise.reject(new Error('no steps are run')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { cluster, session, fake };
}

const NOWHERE = '/nonexistent';
const GIB = 2 ** 30;
const ROOT = {
  path: '/',
  type: 'ext4',
  options: ['rw'],
  sizeBytes: 100 * GIB,
  freeBytes: 60 * GIB,
  inodes: 1000,
  freeInodes: 900,
};

function answerQueries(fake: FakeHost, certificate: string): void {
  fake.answer(/get nodes -o json/, () => ok(fixture('nodes')));
  fake.answer(/get namespace kube-system/, () => ok(fixture('namespace')));
  fake.answer(/--namespace (\S+) get pods/, ([, namespace = '']) => ok(fixture(`pods-${namespace}`)));
  fake.answer(/ exec \S+ -- true/, () => ok());
  fake.answer(/get --raw '\/readyz\?verbose'/, () => ok('[+]ping ok\n[+]etcd ok\nreadyz check passed'));
  fake.answer(/kubelet\.conf .*get --raw \/livez/, () => ok('ok'));
  fake.answer(/^systemctl is-active (.+)$/, ([, units = '']) => ok('active\n'.repeat(units.split(' ').length)));
  fake.answer(/dev\/tcp\/127\.0\.0\.1\/2381/, () => ok(etcdResponse(fake.host)));
  fake.answer(/member list -w simple/, () => ok(MEMBERS));
  fake.answer(/endpoint health --cluster/, () => ok(HEALTHY_MEMBERS));
  fake.answer(/"\/dev\/tcp\/\$0\/53"/, () => ok(DNS_RESPONSE));
  fake.answer(/BEGIN CERTIFICATE/, () => ok(`== /etc/kubernetes/pki/ca.crt\n${certificate}`));
}

/** The output of `etcdctl member list -w simple`. */
export const MEMBERS = `8e9e05c52164694d, started, node1, https://10.0.0.1:2380, https://10.0.0.1:2379, false
91bc3c398fb3c146, started, node2, https://10.0.0.2:2380, https://10.0.0.2:2379, false
fd422379fda50e48, started, node3, https://10.0.0.3:2380, https://10.0.0.3:2379, false
`;

const HEALTHY_MEMBERS = JSON.stringify(
  [1, 2, 3].map((at) => ({ endpoint: `https://10.0.0.${at}:2379`, health: true })),
);

const etcdResponse = (name: string) => `HTTP/1.0 200 OK
Content-Type: text/plain; charset=utf-8

{"health":"true","reason":""}
etcd_mvcc_db_total_size_in_bytes 4.136960e+06
etcd_server_is_leader ${name === 'node2' ? 1 : 0}
etcd_server_version{server_version="3.6.6"} 1
`;

/** The response of CoreDNS: kubernetes.default.svc.cluster.local is 10.233.0.1. */
const DNS_RESPONSE = ` 4b 58 85 80 00 01 00 01 00 00 00 00 0a 6b 75 62
 65 72 6e 65 74 65 73 07 64 65 66 61 75 6c 74 03
 73 76 63 07 63 6c 75 73 74 65 72 05 6c 6f 63 61
 6c 00 00 01 00 01 0a 6b 75 62 65 72 6e 65 74 65
 73 07 64 65 66 61 75 6c 74 03 73 76 63 07 63 6c
 75 73 74 65 72 05 6c 6f 63 61 6c 00 00 01 00 01
 00 00 00 1e 00 04 0a e9 00 01
`;

export const refused = no(
  'The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?',
);

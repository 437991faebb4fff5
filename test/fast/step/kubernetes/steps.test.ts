import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Secret } from '../../../../src/common/secret.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { withToken } from '../../../../src/step/kubernetes/bootstrap-token.ts';
import { isOwnEndpoint } from '../../../../src/step/kubernetes/endpoint-override.ts';
import { localAdminKubeconfig } from '../../../../src/step/kubernetes/kubeconfig.ts';
import { refuseExistingEtcdData } from '../../../../src/step/kubernetes/existing-etcd-data.ts';
import { parseManifests, withChecksum } from '../../../../src/step/kubernetes-object/manifest.ts';
import { flannelPatch } from '../../../../src/step/network/flannel.ts';
import { apiserverFlags, apiserverVolumes } from '../../../../src/template/kubernetes/apiserver-files.ts';
import { auditPolicy } from '../../../../src/template/kubernetes/audit-policy.ts';
import { encryptionConfig } from '../../../../src/template/kubernetes/encryption.ts';
import { hostsBlock } from '../../../../src/template/etc-hosts.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';
import { fakeRunner } from '../../../fake/fake-runner.ts';

const load = (...overrides: readonly string[]) => loadCluster('test/fixtures/kubeadm.yaml', { overrides });
const KUBEADM_ETCD = ['etcd.type=kubeadm', 'roleGroups.etcd=[]'];
const hostOf = ({ hosts }: Cluster, name: string) => hosts.find((host) => host.name === name)!;

it('the first master is the first of its role group, regardless of the order of hosts', async () => {
  const masters = async (...overrides: readonly string[]) =>
    hostsOf(await load(...overrides))
      .withRole('master')
      .map(({ name }) => name);
  const all = await masters();
  const [, second = ''] = all;
  const others = all.filter((name) => name !== second);
  expect(all.length).toBeGreaterThan(1);
  expect(await masters(`roleGroups.master=${JSON.stringify([second, ...others])}`)).toEqual([second, ...others]);
});

it.each([
  ['on masters with stacked etcd', KUBEADM_ETCD, 1],
  ['not without stacked etcd', [], 0],
  [
    'not if the kubeadm preflight error is ignored',
    [...KUBEADM_ETCD, 'kubernetes.ignorePreflightErrors=["DirAvailable--var-lib-etcd"]'],
    0,
  ],
])('existing etcd data is checked for %s', async (_, overrides, parts) => {
  const cluster = await load(...overrides);
  const host = hostsOf(cluster).withRole('master')[0]!;
  expect(refuseExistingEtcdData(cluster).parts(fakeContext(host, fakeHost(host.name)))).toHaveLength(parts);
});

describe('the local admin kubeconfig', () => {
  const ADMIN = { ca: 'CA', certificate: 'CERT', key: new Secret('the key') };
  const serverOf = async (...overrides: readonly string[]) => {
    const cluster = await load(...overrides);
    return parse(localAdminKubeconfig(ADMIN, cluster, hostsOf(cluster).withRole('master')[0]!)).clusters[0].cluster
      .server;
  };

  it('uses the name of the cluster and keeps the CA and credentials', async () => {
    const cluster = await load();
    const config = parse(localAdminKubeconfig(ADMIN, cluster, hostsOf(cluster).withRole('master')[0]!));
    expect(config['current-context']).toBe(cluster.name);
    expect(config.contexts).toEqual([
      { name: cluster.name, context: { cluster: cluster.name, user: `${cluster.name}-admin` } },
    ]);
    expect(config.clusters[0].cluster['certificate-authority-data']).toBe('Q0E=');
    expect(config.users[0].user['client-key-data']).toBe(Buffer.from('the key').toString('base64'));
  });

  it('points to the first master, or to a load balancer', async () => {
    const cluster = await load();
    expect(await serverOf()).toBe(`https://${hostOf(cluster, 'node1').login.address}:6443`);
    const vip = ['controlPlaneEndpoint.internalLoadbalancer=kube-vip', 'controlPlaneEndpoint.lb_address=10.0.0.100'];
    expect(await serverOf(...vip)).toBe('https://10.0.0.100:6443');
    const external = [
      'controlPlaneEndpoint.internalLoadbalancer=',
      'controlPlaneEndpoint.externalLoadBalancer=external',
    ];
    expect(await serverOf(...external, 'controlPlaneEndpoint.lb_address=10.0.0.99')).toBe('https://10.0.0.99:6443');
  });
});

describe('a joining node', () => {
  it('uses the first master if the endpoint is its own API server or proxy', async () => {
    const cluster = await load('controlPlaneEndpoint.internalLoadbalancer=haproxy');
    const own = cluster.hosts.filter((host) => isOwnEndpoint(cluster, host)).map(({ name }) => name);
    expect(own).toEqual(cluster.hosts.map(({ name }) => name));
    const worker = cluster.hosts.find(({ roles }) => !roles.includes('master'))!;
    const { domain } = cluster.endpoint;
    expect(hostsBlock(cluster, worker)).toContain(`127.0.0.1 ${domain}\n`);
    expect(hostsBlock(cluster, worker, '10.0.0.1')).toContain(`10.0.0.1 ${domain}\n`);
    expect(hostsBlock(cluster, worker, '10.0.0.1')).not.toContain('127.0.0.1');
  });

  it('uses the endpoint if it is a virtual IP', async () => {
    const vip = ['controlPlaneEndpoint.internalLoadbalancer=kube-vip', 'controlPlaneEndpoint.lb_address=10.0.0.100'];
    const cluster = await load(...vip);
    expect(cluster.hosts.some((host) => isOwnEndpoint(cluster, host))).toBe(false);
  });

  it('has a token of its own that expires after half an hour and is deleted', async () => {
    const master = fakeHost('node1');
    const applied: { stringData: Record<string, string> }[] = [];
    master.answer(/ apply -f -/, (_, stdin) => (applied.push(JSON.parse(stdin)), ok()));
    master.answer(/ delete secret /, () => ok());
    const used = await withToken(fakeRunner(master), (token) => Promise.resolve(token.reveal()));
    const [id = '', secret = ''] = used.split('.');
    const { expiration = '', ...fields } = applied[0]!.stringData;
    expect(fields).toMatchObject({
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
    });
    const minutes = (Date.parse(expiration) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(28);
    expect(minutes).toBeLessThanOrEqual(30);
    expect(master.changes.at(-1)).toContain(`delete secret bootstrap-token-${id}`);
  });
});

describe('audit and encryption files of the API server', () => {
  it('are not used by default', async () => {
    const cluster = await load();
    expect([apiserverFlags(cluster), apiserverVolumes(cluster)]).toEqual([{}, []]);
  });

  it('are passed by flags and mounted into the Pod', async () => {
    const cluster = await load('kubernetes.audit=true', 'kubernetes.encryptionAtRest=true');
    const paths = apiserverVolumes(cluster).map(({ path }) => path);
    const flags = apiserverFlags(cluster);
    expect(paths).toContain(flags['audit-policy-file']);
    expect(paths).toContain(flags['audit-log-path']?.replace('/audit.log', ''));
    expect(paths).toContain(flags['encryption-provider-config']);
  });

  it('are written with a policy', async () => {
    await expect(auditPolicy()).toMatchFileSnapshot('../../../golden/kubernetes/audit-policy.yaml');
  });

  it('encrypt with the key, and still read unencrypted data', async () => {
    const text = encryptionConfig(new Secret('a2V5a2V5a2V5'));
    await expect(text).toMatchFileSnapshot('../../../golden/kubernetes/encryption.yaml');
  });
});

describe('an upstream manifest', () => {
  it('is rejected if it is invalid', () => {
    expect(() => parseManifests('a: [', 'flannel 1')).toThrow('the manifest is invalid: Flow sequence');
    expect(() => parseManifests('kind: Pod', 'flannel 1')).toThrow('no kind or name');
    expect(parseManifests('---\n---\n', 'flannel 1')).toEqual([]);
  });

  it('has a checksum annotation that changes with its content', () => {
    const [one, other] = ['a', 'b'].map((value) =>
      withChecksum({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { value } }),
    );
    expect(one!.metadata.annotations).not.toEqual(other!.metadata.annotations);
    expect(
      withChecksum({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { value: 'a' } }),
    ).toEqual(one);
  });

  it('of Flannel gets the networks and the backend of the cluster file', async () => {
    const cluster = await load(
      'network.plugin=flannel',
      'network.flannel.backend=host-gw',
      'network.kubePodsCIDR=10.200.0.0/16',
    );
    const { plugin } = cluster.network;
    if (plugin.type !== 'flannel') throw new Error('not flannel');
    const [map, pod] = flannelPatch(
      cluster,
      plugin,
    )([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'f' },
        data: { 'net-conf.json': '{}', other: 'kept' },
      },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
    ]);
    const settings: unknown = expect.stringMatching(/"Network": "10\.200\.0\.0\/16"[\s\S]*"Type": "host-gw"/);
    expect(map!['data']).toEqual({ 'net-conf.json': settings, other: 'kept' });
    expect(pod).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } });
  });
});

import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Secret } from '../../../../src/common/secret.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { createClusterPipeline } from '../../../../src/pipeline/cluster/create.ts';
import { deleteClusterPipeline } from '../../../../src/pipeline/cluster/delete.ts';
import { ensurePki, readPair } from '../../../../src/pki/store.ts';
import { outline } from '../../../../src/plan/outline.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { requestsOf } from '../../../../src/step/kubernetes/binary/certificates.ts';
import { kubeconfigsOf } from '../../../../src/step/kubernetes/binary/kubeconfigs.ts';
import { packageNames } from '../../../../src/step/host-requirements/packages.ts';
import { coreDns } from '../../../../src/template/dns/coredns.ts';
import { clusterConfiguration } from '../../../../src/template/kubeadm/cluster-configuration.ts';
import {
  clusterAdmins,
  clusterInfo,
  nodeBootstrap,
  kubeletApiAccess,
} from '../../../../src/template/kubernetes/rbac.ts';
import { apiserverFlags } from '../../../../src/template/kubernetes/apiserver-files.ts';
import { controlPlaneFlags } from '../../../../src/template/kubernetes/control-plane-flags.ts';
import { kubeProxyConfig, kubeProxyHealth } from '../../../../src/template/kubernetes/kube-proxy-service.ts';
import { kubeconfig } from '../../../../src/template/kubernetes/kubeconfig.ts';
import { kubeletConfig, kubeletService } from '../../../../src/template/kubernetes/kubelet-service.ts';
import { controlPlaneUnit, kubeProxyUnit } from '../../../../src/template/kubernetes/service-units.ts';
import { commandLine } from '../../../../src/template/systemd-unit.ts';
import { yamlDocuments } from '../../../../src/template/yaml-documents.ts';
import { factsOf } from '../os/systems.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';

const load = (...overrides: readonly string[]) => loadCluster('examples/binary.yaml', { overrides });
const hostOf = ({ hosts }: Cluster, name: string) => hosts.find((host) => host.name === name)!;
const golden = (name: string) => `../../../golden/binary/${name}`;

describe('API servers', () => {
  const CONFIG = 'kubernetes.kubeletConfiguration=';
  const FLAGS = 'kubernetes.kubelet.extraArgs=';

  it.each([
    ['check kubelets by the authority of the cluster, which vouches for them', '', true],
    ['also where the cluster has signed what kubelets asked for', `${CONFIG}{"serverTLSBootstrap":true}`, true],
    ['or asked for by a flag', `${FLAGS}{"rotate-server-certificates":"true"}`, true],
    ['do not where somebody else made what kubelets show', `${CONFIG}{"tlsCertFile":"/srv/kubelet.crt"}`, false],
    ['or told of it by flags', `${FLAGS}{"tls-cert-file":"/srv/kubelet.crt"}`, false],
    ['or has another key', `${CONFIG}{"tlsPrivateKeyFile":"/srv/kubelet.key"}`, false],
    ['or nodes have addresses that the file does not tell', `${FLAGS}{"node-ip":"::"}`, false],
  ])('%s', async (_, override, checked) => {
    const cluster = await load(...(override === '' ? [] : [override]));
    const flags = controlPlaneFlags('kube-apiserver', cluster, hostOf(cluster, 'node1'));
    expect('kubelet-certificate-authority' in flags).toBe(checked);
    const made = requestsOf(cluster).flatMap(({ certificates }) => certificates.map(({ name }) => name));
    expect(made.includes('node1/kubelet')).toBe(override === '');
    const shown = parse(kubeletConfig(cluster, false)).tlsCertFile;
    expect(shown === '/etc/kubernetes/pki/kubelet.crt').toBe(override === '');
  });
});

describe('the plan', () => {
  it('of a cluster from binaries', async () => {
    const cluster = await load();
    const create = createClusterPipeline({ preflight: 'skip' });
    const text = [create, deleteClusterPipeline()]
      .map((pipeline) => outline(plan(pipeline, cluster, fakeAssets(cluster))))
      .join('\n\n');
    await expect(`${text}\n`).toMatchFileSnapshot(golden('plan.txt'));
  });

  it('fetches programs instead of the images of kubeadm, and of images only those that pods run from', async () => {
    const { files, images } = fakeAssets(await load());
    const names = files.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']));
    expect(names).toEqual(expect.arrayContaining(['kube-proxy', 'kubelet', 'kubectl', 'etcd']));
    expect(names).not.toContain('kubeadm');
    expect(images.map(({ name }) => name).filter((name) => !name.startsWith('flannel'))).toEqual(['coredns', 'pause']);
  });

  it('has no kube-proxy where cilium does its work', async () => {
    const cluster = await load('network.plugin=cilium', 'network.cilium.kubeProxyReplacement=true');
    const create = createClusterPipeline({ preflight: 'skip' });
    expect(outline(plan(create, cluster, fakeAssets(cluster)))).not.toContain('kube-proxy');
    expect(requestsOf(cluster).flatMap(({ certificates }) => certificates.map(({ name }) => name))).not.toContain(
      'node1/kube-proxy',
    );
  });
});

describe('the services of a master', () => {
  it.each(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const)('%s', async (service) => {
    const cluster = await load();
    const text = controlPlaneUnit(service, cluster, hostOf(cluster, 'node1'));
    await expect(text).toMatchFileSnapshot(golden(`${service}.service`));
  });

  it('have every flag that the file asks of kubeadm, in whichever way it asks', async () => {
    const asked = [
      'kubernetes.apiserver.extraArgs.oidc-issuer-url=https://sso.example.com',
      'kubernetes.apiserver.extraArgs.secure-port=7443',
      'controlPlaneEndpoint.port=7443',
      'kubernetes.controllerManager.extraArgs.bind-address=0.0.0.0',
      'kubernetes.scheduler.extraArgs.v=4',
      'kubernetes.featureGates.RotateKubeletServerCertificate=true',
    ];
    const cluster = await load(...asked);
    const host = hostOf(cluster, 'node1');
    const options = {
      cluster,
      api: 'v1beta3',
      imageRepository: '',
      etcd: { type: 'local', imageTag: undefined },
      volumes: [],
      apiserverFlags: apiserverFlags(cluster),
    } as const;
    const kubeadm = parse(yamlDocuments([clusterConfiguration(options)]));
    expect(kubeadm.apiServer.extraArgs).toMatchObject({ 'audit-log-maxage': '30', 'secure-port': '7443' });
    expect(controlPlaneFlags('kube-apiserver', cluster, host)).toMatchObject(kubeadm.apiServer.extraArgs);
    expect(controlPlaneFlags('kube-controller-manager', cluster, host)).toMatchObject(
      kubeadm.controllerManager.extraArgs,
    );
    expect(controlPlaneFlags('kube-scheduler', cluster, host)).toMatchObject(kubeadm.scheduler.extraArgs);
  });

  it('have one way of deciding who may do what', async () => {
    const flagsOf = async (...overrides: readonly string[]) => {
      const cluster = await load(...overrides);
      return controlPlaneFlags('kube-apiserver', cluster, hostOf(cluster, 'node1'));
    };
    const asked = 'kubernetes.apiserver.extraArgs.authorization-config=/etc/kubernetes/authorization.yaml';
    expect(await flagsOf()).toMatchObject({ 'authorization-mode': 'Node,RBAC' });
    expect(await flagsOf(asked)).not.toHaveProperty('authorization-mode');
  });

  it('reach an etcd of the user with what the user gives', async () => {
    const own = ['etcd.type=external', 'roleGroups.etcd=[]', 'etcd.external.endpoints=[http://10.0.0.9:2379]'];
    const cluster = await load(...own);
    const flags = controlPlaneFlags('kube-apiserver', cluster, hostOf(cluster, 'node1'));
    expect(flags['etcd-servers']).toBe('http://10.0.0.9:2379');
    expect(Object.keys(flags).filter((name) => name.startsWith('etcd-'))).toEqual(['etcd-servers']);
  });

  it('are started with values as they are, whatever signs are in them', () => {
    expect(commandLine('/bin/x', { a: 'b', c: 'two words', d: '50%', e: '$HOME "x"' })).toBe(
      '/bin/x \\\n  --a=b \\\n  "--c=two words" \\\n  --d=50%% \\\n  "--e=$$HOME \\"x\\""',
    );
  });
});

describe('the services of a node', () => {
  it('are the kubelet and kube-proxy, with what is this node’s own', async () => {
    const cluster = await load();
    const [master, worker] = [hostOf(cluster, 'node1'), hostOf(cluster, 'node4')];
    await expect(kubeletService(cluster, master)).toMatchFileSnapshot(golden('kubelet-master.service'));
    await expect(kubeletService(cluster, worker)).toMatchFileSnapshot(golden('kubelet-worker.service'));
    await expect(kubeProxyUnit(cluster, worker)).toMatchFileSnapshot(golden('kube-proxy.service'));
  });

  it('read settings that the file comes over', async () => {
    const cluster = await load('kubernetes.kubeletConfiguration.authentication.webhook.cacheTTL=1m0s');
    await expect(kubeletConfig(cluster, true)).toMatchFileSnapshot(golden('kubelet.yaml'));
    await expect(kubeProxyConfig(cluster, 'nftables')).toMatchFileSnapshot(golden('kube-proxy.yaml'));
    expect(parse(kubeletConfig(cluster, false)).resolvConf).toBeUndefined();
  });

  it.each([
    [undefined, 'http://127.0.0.1:10256'],
    ['0.0.0.0:10300', 'http://127.0.0.1:10300'],
    ['"[::]:10256"', 'http://127.0.0.1:10256'],
    ['"::"', 'http://127.0.0.1:10256'],
    ['10.0.0.9:10256', 'http://10.0.0.9:10256'],
    ['10.0.0.9', 'http://10.0.0.9:10256'],
    ['"[fd00::9]:1234"', 'http://[fd00::9]:1234'],
  ])('are asked for their health where kube-proxy listens: %s', async (bound, asked) => {
    const setting = `kubernetes.kubeProxyConfiguration.healthzBindAddress=${bound}`;
    expect(kubeProxyHealth(await load(...(bound === undefined ? [] : [setting])), 'nftables')).toBe(asked);
  });

  it('find the API through a load balancer that is a package of the worker', async () => {
    const cluster = await load();
    const facts = factsOf('debian-12', 'node4');
    expect(packageNames(cluster, hostOf(cluster, 'node4'), facts)).toContain('haproxy');
    expect(packageNames(cluster, hostOf(cluster, 'node1'), facts)).not.toContain('haproxy');
    expect(packageNames(await load('kubernetes.type=kubeadm'), hostOf(cluster, 'node4'), facts)).not.toContain(
      'haproxy',
    );
  });
});

describe('the objects that kubeadm would have made', () => {
  it('let administrators in and nodes join', async () => {
    const objects = [clusterAdmins, kubeletApiAccess, ...nodeBootstrap, ...clusterInfo('# where it is\n')];
    await expect(yamlDocuments(objects)).toMatchFileSnapshot(golden('access-rules.yaml'));
  });

  it('answer names as the file says', async () => {
    const cluster = await load();
    const objects = coreDns(cluster, 'registry.k8s.io/coredns/coredns:v1.13.1', () => ({ mark: 'sum' }));
    await expect(yamlDocuments(objects)).toMatchFileSnapshot(golden('coredns.yaml'));
  });
});

describe('the certificates', () => {
  let folder: string;
  let cluster: Cluster;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubexm-pki-'));
    cluster = await load('kubernetes.apiserverCertExtraSans=[api.example.com]');
    for (const request of requestsOf(cluster)) await ensurePki(folder, request);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = async (name: string) => new X509Certificate(await readFile(join(folder, `${name}.crt`), 'utf8'));

  it('are those of kubeadm: names, groups, usages, other names, and who vouches', async () => {
    const names = requestsOf(cluster).flatMap(({ ca: authority, certificates }) =>
      [authority, ...certificates].map(({ name }) => name),
    );
    const lines = await Promise.all(
      names
        .filter((name) => !/^node[235]/.test(name))
        .map(async (name) => {
          const { subject, issuer, keyUsage, subjectAltName, ca } = await read(name);
          const told = [subject.replaceAll('\n', ' '), `by ${issuer}`, ca ? 'authority' : keyUsage?.join(' ')];
          return [name, ...told, subjectAltName ?? ''].join(' | ').trimEnd();
        }),
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden('certificates.txt'));
  });

  it('let nobody pass by all rules but the first master, with a kubeconfig of the same', async () => {
    const names = requestsOf(cluster).flatMap(({ certificates }) => certificates.map(({ name }) => name));
    expect(names.filter((name) => name.endsWith('/super-admin'))).toEqual(['node1/super-admin']);
    const files = cluster.hosts.flatMap((host) => kubeconfigsOf(cluster, host).map((name) => `${host.name}/${name}`));
    expect(files.filter((name) => name.endsWith('/super-admin'))).toEqual(['node1/super-admin']);
  });

  it('let administrators pass by all rules before 1.29 alone', async () => {
    const groupOf = async (...overrides: readonly string[]) =>
      requestsOf(await load(...overrides))[0]!.certificates.find(({ name }) => name === 'node1/admin')!.organizations;
    expect(await groupOf()).toEqual(['kubeadm:cluster-admins']);
    expect(await groupOf('kubernetes.version=v1.28.15')).toEqual(['system:masters']);
  });

  it('make a way in that names the endpoint and whom to trust', async () => {
    const [{ certificate: authority }, own] = [await readPair(folder, 'ca'), await readPair(folder, 'node1/admin')];
    const text = kubeconfig({
      cluster: 'binary',
      server: 'https://lb.kubexm.local:6443',
      ca: authority!,
      user: 'kubernetes-admin',
      credentials: { type: 'certificate', certificate: own.certificate!, key: own.key! },
    });
    const config = parse(text);
    expect(config['current-context']).toBe('kubernetes-admin@binary');
    const pem = Buffer.from(config.users[0].user['client-certificate-data'], 'base64').toString();
    expect(new X509Certificate(pem).checkIssued(new X509Certificate(authority!))).toBe(true);
  });

  it('or one by a token', () => {
    const login = { type: 'token', token: new Secret('abcdef.0123456789abcdef') } as const;
    const text = kubeconfig({ cluster: 'c', server: 'https://x', ca: 'PEM', user: 'u', credentials: login });
    expect(parse(text).users).toEqual([{ name: 'u', user: { token: 'abcdef.0123456789abcdef' } }]);
  });
});

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

describe('kubelet certificate verification by the API server', () => {
  const CONFIG = 'kubernetes.kubeletConfiguration=';
  const FLAGS = 'kubernetes.kubelet.extraArgs=';

  it.each([
    ['is enabled by default', '', true],
    ['is enabled with serverTLSBootstrap', `${CONFIG}{"serverTLSBootstrap":true}`, true],
    ['is enabled with --rotate-server-certificates', `${FLAGS}{"rotate-server-certificates":"true"}`, true],
    ['is disabled with a custom tlsCertFile', `${CONFIG}{"tlsCertFile":"/srv/kubelet.crt"}`, false],
    ['is disabled with --tls-cert-file', `${FLAGS}{"tls-cert-file":"/srv/kubelet.crt"}`, false],
    ['is disabled with a custom tlsPrivateKeyFile', `${CONFIG}{"tlsPrivateKeyFile":"/srv/kubelet.key"}`, false],
    ['is disabled with --node-ip', `${FLAGS}{"node-ip":"::"}`, false],
  ])('%s', async (_, override, enabled) => {
    const cluster = await load(...(override === '' ? [] : [override]));
    const flags = controlPlaneFlags('kube-apiserver', cluster, hostOf(cluster, 'node1'));
    expect('kubelet-certificate-authority' in flags).toBe(enabled);
    const issued = requestsOf(cluster).flatMap(({ certificates }) => certificates.map(({ name }) => name));
    expect(issued.includes('node1/kubelet')).toBe(override === '');
    const tlsCertFile = parse(kubeletConfig(cluster, { resolved: false, protectKernelDefaults: false })).tlsCertFile;
    expect(tlsCertFile === '/etc/kubernetes/pki/kubelet.crt').toBe(override === '');
  });
});

describe('the plan', () => {
  it('of a cluster in binary mode', async () => {
    const cluster = await load();
    const create = createClusterPipeline({ preflight: 'skip' });
    const text = [create, deleteClusterPipeline()]
      .map((pipeline) => outline(plan(pipeline, cluster, fakeAssets(cluster))))
      .join('\n\n');
    await expect(`${text}\n`).toMatchFileSnapshot(golden('plan.txt'));
  });

  it('downloads binaries instead of control plane images', async () => {
    const { files, images } = fakeAssets(await load());
    const names = files.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']));
    expect(names).toEqual(expect.arrayContaining(['kube-proxy', 'kubelet', 'kubectl', 'etcd']));
    expect(names).not.toContain('kubeadm');
    expect(images.map(({ name }) => name).filter((name) => !name.startsWith('flannel'))).toEqual(['coredns', 'pause']);
  });

  it('has no kube-proxy if Cilium replaces it', async () => {
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

  it('have the same flags of the cluster file as with kubeadm', async () => {
    const overrides = [
      'kubernetes.apiserver.extraArgs.oidc-issuer-url=https://sso.example.com',
      'kubernetes.apiserver.extraArgs.secure-port=7443',
      'controlPlaneEndpoint.port=7443',
      'kubernetes.controllerManager.extraArgs.bind-address=0.0.0.0',
      'kubernetes.scheduler.extraArgs.v=4',
      'kubernetes.featureGates.RotateKubeletServerCertificate=true',
    ];
    const cluster = await load(...overrides);
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

  it('have no authorization-mode if authorization-config is set', async () => {
    const flagsOf = async (...overrides: readonly string[]) => {
      const cluster = await load(...overrides);
      return controlPlaneFlags('kube-apiserver', cluster, hostOf(cluster, 'node1'));
    };
    const override = 'kubernetes.apiserver.extraArgs.authorization-config=/etc/kubernetes/authorization.yaml';
    expect(await flagsOf()).toMatchObject({ 'authorization-mode': 'Node,RBAC' });
    expect(await flagsOf(override)).not.toHaveProperty('authorization-mode');
  });

  it('connect to an external etcd with the given files only', async () => {
    const external = ['etcd.type=external', 'roleGroups.etcd=[]', 'etcd.external.endpoints=[http://10.0.0.9:2379]'];
    const cluster = await load(...external);
    const flags = controlPlaneFlags('kube-apiserver', cluster, hostOf(cluster, 'node1'));
    expect(flags['etcd-servers']).toBe('http://10.0.0.9:2379');
    expect(Object.keys(flags).filter((name) => name.startsWith('etcd-'))).toEqual(['etcd-servers']);
  });

  it('pass values with special characters unchanged', () => {
    expect(commandLine('/bin/x', { a: 'b', c: 'two words', d: '50%', e: '$HOME "x"' })).toBe(
      '/bin/x \\\n  --a=b \\\n  "--c=two words" \\\n  --d=50%% \\\n  "--e=$$HOME \\"x\\""',
    );
  });
});

describe('the services of a node', () => {
  it('are the kubelet and kube-proxy', async () => {
    const cluster = await load();
    const [master, worker] = [hostOf(cluster, 'node1'), hostOf(cluster, 'node4')];
    await expect(kubeletService(cluster, master)).toMatchFileSnapshot(golden('kubelet-master.service'));
    await expect(kubeletService(cluster, worker)).toMatchFileSnapshot(golden('kubelet-worker.service'));
    await expect(kubeProxyUnit(cluster, worker)).toMatchFileSnapshot(golden('kube-proxy.service'));
  });

  it('merge the configuration of the cluster file', async () => {
    const cluster = await load('kubernetes.kubeletConfiguration.authentication.webhook.cacheTTL=1m0s');
    await expect(kubeletConfig(cluster, { resolved: true, protectKernelDefaults: true })).toMatchFileSnapshot(
      golden('kubelet.yaml'),
    );
    await expect(kubeProxyConfig(cluster, 'nftables')).toMatchFileSnapshot(golden('kube-proxy.yaml'));
    expect(parse(kubeletConfig(cluster, { resolved: false, protectKernelDefaults: false })).resolvConf).toBeUndefined();
  });

  it.each([
    [undefined, 'http://127.0.0.1:10256'],
    ['0.0.0.0:10300', 'http://127.0.0.1:10300'],
    ['"[::]:10256"', 'http://127.0.0.1:10256'],
    ['"::"', 'http://127.0.0.1:10256'],
    ['10.0.0.9:10256', 'http://10.0.0.9:10256'],
    ['10.0.0.9', 'http://10.0.0.9:10256'],
    ['"[fd00::9]:1234"', 'http://[fd00::9]:1234'],
  ])('check the health of kube-proxy bound to %s', async (bound, address) => {
    const setting = `kubernetes.kubeProxyConfiguration.healthzBindAddress=${bound}`;
    expect(kubeProxyHealth(await load(...(bound === undefined ? [] : [setting])), 'nftables')).toBe(address);
  });

  it('use a local load balancer from a package on workers', async () => {
    const cluster = await load();
    const facts = factsOf('debian-12', 'node4');
    expect(packageNames(cluster, hostOf(cluster, 'node4'), facts)).toContain('haproxy');
    expect(packageNames(cluster, hostOf(cluster, 'node1'), facts)).not.toContain('haproxy');
    expect(packageNames(await load('kubernetes.type=kubeadm'), hostOf(cluster, 'node4'), facts)).not.toContain(
      'haproxy',
    );
  });
});

describe('the objects that kubeadm would create', () => {
  it('grant access to administrators and let nodes join', async () => {
    const objects = [clusterAdmins, kubeletApiAccess, ...nodeBootstrap, ...clusterInfo('# where it is\n')];
    await expect(yamlDocuments(objects)).toMatchFileSnapshot(golden('access-rules.yaml'));
  });

  it('install CoreDNS as configured', async () => {
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

  it('have the same subjects, usages, SANs and issuers as with kubeadm', async () => {
    const names = requestsOf(cluster).flatMap(({ ca, certificates }) => [ca, ...certificates].map(({ name }) => name));
    const lines = await Promise.all(
      names
        .filter((name) => !/^node[235]/.test(name))
        .map(async (name) => {
          const { subject, issuer, keyUsage, subjectAltName, ca } = await read(name);
          const fields = [subject.replaceAll('\n', ' '), `by ${issuer}`, ca ? 'CA' : keyUsage?.join(' ')];
          return [name, ...fields, subjectAltName ?? ''].join(' | ').trimEnd();
        }),
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden('certificates.txt'));
  });

  it('never include super-admin, which bypasses RBAC', async () => {
    const names = requestsOf(cluster).flatMap(({ certificates }) => certificates.map(({ name }) => name));
    const files = cluster.hosts.flatMap((host) => kubeconfigsOf(cluster, host).map((name) => `${host.name}/${name}`));
    expect([...names, ...files].filter((name) => name.includes('super-admin'))).toEqual([]);
    const organizations = requestsOf(cluster).flatMap(({ certificates }) =>
      certificates.flatMap((one) => one.organizations),
    );
    expect(organizations).not.toContain('system:masters');
  });

  it('put administrators in system:masters only before 1.29', async () => {
    const groupOf = async (...overrides: readonly string[]) =>
      requestsOf(await load(...overrides))[0]!.certificates.find(({ name }) => name === 'node1/admin')!.organizations;
    expect(await groupOf()).toEqual(['kubeadm:cluster-admins']);
    expect(await groupOf('kubernetes.version=v1.29.0')).toEqual(['kubeadm:cluster-admins']);
    expect(await groupOf('kubernetes.version=v1.28.15')).toEqual(['system:masters']);
  });

  it('are embedded in kubeconfigs with the endpoint and the CA', async () => {
    const [{ certificate: ca }, own] = [await readPair(folder, 'ca'), await readPair(folder, 'node1/admin')];
    const text = kubeconfig({
      cluster: 'binary',
      server: 'https://lb.kubexm.local:6443',
      ca: ca!,
      user: 'kubernetes-admin',
      credentials: { type: 'certificate', certificate: own.certificate!, key: own.key! },
    });
    const config = parse(text);
    expect(config['current-context']).toBe('kubernetes-admin@binary');
    const pem = Buffer.from(config.users[0].user['client-certificate-data'], 'base64').toString();
    expect(new X509Certificate(pem).checkIssued(new X509Certificate(ca!))).toBe(true);
  });

  it('are not needed for kubeconfigs with a token', () => {
    const login = { type: 'token', token: new Secret('abcdef.0123456789abcdef') } as const;
    const text = kubeconfig({ cluster: 'c', server: 'https://x', ca: 'PEM', user: 'u', credentials: login });
    expect(parse(text).users).toEqual([{ name: 'u', user: { token: 'abcdef.0123456789abcdef' } }]);
  });
});

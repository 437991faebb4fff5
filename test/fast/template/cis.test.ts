import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { cisControls } from '../../../src/config/data/cis-controls.ts';
import { loadCluster } from '../../../src/config/load/load.ts';
import type { Cluster } from '../../../src/config/model/cluster.ts';
import { etcdData } from '../../../src/step/etcd/data.ts';
import { configureKubelet } from '../../../src/step/kubernetes/binary/kubelet.ts';
import { uploadMasterFiles } from '../../../src/step/kubernetes/binary/node-files.ts';
import { updateKubelet } from '../../../src/step/kubernetes/update-kubeadm.ts';
import { kubeadmInitOptions } from '../../../src/step/kubernetes/kubeadm-options.ts';
import { installKubelet } from '../../../src/step/kubernetes/install.ts';
import type { Step } from '../../../src/step/contract/step.ts';
import { kubernetesCertificates } from '../../../src/common/cluster-files.ts';
import type { Runner } from '../../../src/runner/runner.ts';
import { Secret } from '../../../src/common/secret.ts';
import { etcdEnvironment } from '../../../src/template/etcd/environment.ts';
import { kubeletDropIn } from '../../../src/template/kubeadm/kubelet-unit.ts';
import { admissionConfig } from '../../../src/template/kubernetes/admission.ts';
import { apiserverVolumes } from '../../../src/template/kubernetes/apiserver-files.ts';
import { authenticationConfig } from '../../../src/template/kubernetes/authentication.ts';
import { controlPlaneFlags, type ControlPlaneService } from '../../../src/template/kubernetes/control-plane-flags.ts';
import { encryptionConfig } from '../../../src/template/kubernetes/encryption.ts';
import { protectsKernelDefaults } from '../../../src/template/kubernetes/hardening.ts';
import { kubeletConfig, kubeletService } from '../../../src/template/kubernetes/kubelet-service.ts';
import { fakeAssets } from '../../fake/fake-assets.ts';
import { fakeContext } from '../../fake/fake-context.ts';
import { fakeHost } from '../../fake/fake-host.ts';
import { fakeRunner } from '../../fake/fake-runner.ts';

const PROFILES = ['default', 'cis'] as const;
const TYPES = ['kubeadm', 'kubexm'] as const;
const VIRTUAL_MACHINE = { virtualization: { type: 'vm' } };

const load = (type: (typeof TYPES)[number], profile: (typeof PROFILES)[number], ...more: readonly string[]) =>
  loadCluster('test/fixtures/kubeadm.yaml', {
    overrides: [`kubernetes.type=${type}`, `security.profile=${profile}`, 'kubernetes.version=1.36.3', ...more],
  });

/** What the controls look at. With kubeadm, components have the flags that kubeadm sets, and those of the cluster file. */
function rendered(cluster: Cluster) {
  const host = cluster.hosts[0]!;
  const flags = (service: ControlPlaneService) => controlPlaneFlags(service, cluster, host);
  const options = { resolved: false, protectKernelDefaults: protectsKernelDefaults(cluster, VIRTUAL_MACHINE) };
  if (cluster.etcd.type !== 'kubexm') throw new TypeError('the fixture has its own etcd');
  const files = { ca: '/ca', certificate: '/c', key: '/k', peerCertificate: '/pc', peerKey: '/pk' };
  const environment = { etcd: cluster.etcd, version: '3.6.16', host, members: [host], token: 't', files };
  return {
    cluster,
    isBinary: cluster.kubernetes.type === 'kubexm',
    apiserver: flags('kube-apiserver'),
    controllerManager: flags('kube-controller-manager'),
    scheduler: flags('kube-scheduler'),
    plugins: (flags('kube-apiserver')['enable-admission-plugins'] ?? '').split(','),
    kubelet: parse(kubeletConfig(cluster, options)),
    kubeletUnit: cluster.kubernetes.type === 'kubexm' ? kubeletService(cluster, host) : kubeletDropIn('/kubelet'),
    etcd: etcdEnvironment({ ...environment, state: 'new' }),
    files: apiserverVolumes(cluster).map(({ name }) => name),
  };
}

type Rendered = ReturnType<typeof rendered>;
type Passes = (files: Rendered) => boolean | Promise<boolean>;

/** The modes with which the parts of a step write and upload files, by path. */
async function modesOf(step: Step, cluster: Cluster): Promise<Readonly<Record<string, string>>> {
  const fake = fakeHost('node1');
  const modes: Record<string, string> = {};
  const record = ({ path, mode }: { readonly path: string; readonly mode: number }) => {
    modes[path] = mode.toString(8);
    return Promise.resolve();
  };
  fake.answer(/chmod (\d+) (\S+)$/, ([, mode = '', path = '']) => {
    modes[path.replaceAll("'", '')] = mode;
    return { exit: 0, stdout: '', stderr: '' };
  });
  fake.answer(/^\[ /, () => ({ exit: 1, stdout: '', stderr: '' }));
  fake.answer(/mkdir/, () => ({ exit: 0, stdout: '', stderr: '' }));
  const runner: Runner = Object.assign(Object.create(fakeRunner(fake)), {
    write: record,
    upload: (_: unknown, target: { readonly path: string; readonly mode: number }) => record(target),
    stat: () => Promise.resolve(undefined),
  });
  const ctx = fakeContext({ name: 'node1', roles: cluster.hosts[0]!.roles, address: '' }, fake, { runner });
  for (const part of step.parts(ctx)) await part.run(ctx).catch(() => undefined);
  return modes;
}

/** A local folder with the certificates and keys of a master. */
function localCertificates(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubexm-cis-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const certificates = kubernetesCertificates(folder);
  mkdirSync(join(certificates, 'node1'), { recursive: true });
  const names = [
    'ca',
    'front-proxy-ca',
    'sa',
    ...['apiserver', 'apiserver-kubelet-client', 'front-proxy-client'].map((name) => `node1/${name}`),
  ];
  for (const name of names)
    for (const end of ['crt', 'key', 'pub']) writeFileSync(join(certificates, `${name}.${end}`), '');
  return folder;
}

const KUBELET_UNIT = '/etc/systemd/system/kubelet.service';
const KUBELET_CONFIG = '/var/lib/kubelet/config.yaml';

const isFalse = (value: unknown) => value === 'false' || value === false;
const strong = (suites: readonly string[]) =>
  suites.length > 0 && suites.every((each) => /_GCM_|_CHACHA20_/.test(each) && each.includes('ECDHE'));

const checks: Readonly<Record<string, Passes>> = {
  '1.1.11': async ({ cluster }) => (await modesOf(etcdData('/var/lib/etcd'), cluster))['/var/lib/etcd'] === '700',
  '1.1.12': ({ cluster }) => cluster.etcd.type === 'kubexm',
  '1.1.21': async ({ cluster }) => {
    const modes = Object.entries(await modesOf(uploadMasterFiles(localCertificates()), cluster));
    const keys = modes.filter(([path]) => path.endsWith('.key'));
    return keys.length > 4 && keys.every(([, mode]) => mode === '600');
  },
  '1.2.1': ({ apiserver, cluster }) =>
    apiserver['authentication-config'] !== undefined &&
    parse(authenticationConfig(cluster.kubernetes.version)).anonymous.conditions.every(({ path }: { path: string }) =>
      /^\/(healthz|livez|readyz)$/.test(path),
    ),
  '1.2.2': ({ apiserver }) => !('token-auth-file' in apiserver),
  '1.2.3': ({ plugins }) => plugins.includes('DenyServiceExternalIPs'),
  '1.2.4': ({ apiserver }) => 'kubelet-client-certificate' in apiserver && 'kubelet-client-key' in apiserver,
  '1.2.5': ({ apiserver }) => 'kubelet-certificate-authority' in apiserver,
  '1.2.6': ({ apiserver }) => !apiserver['authorization-mode']!.includes('AlwaysAllow'),
  '1.2.7': ({ apiserver }) => apiserver['authorization-mode']!.split(',').includes('Node'),
  '1.2.8': ({ apiserver }) => apiserver['authorization-mode']!.split(',').includes('RBAC'),
  '1.2.9': ({ plugins, files }) =>
    plugins.includes('EventRateLimit') && files.includes('admission') && admissionConfig().includes('EventRateLimit'),
  '1.2.10': ({ plugins }) => !plugins.includes('AlwaysAdmit'),
  '1.2.12': ({ apiserver }) => !apiserver['disable-admission-plugins']?.includes('ServiceAccount'),
  '1.2.13': ({ apiserver }) => !apiserver['disable-admission-plugins']?.includes('NamespaceLifecycle'),
  '1.2.14': ({ plugins }) => plugins.includes('NodeRestriction'),
  '1.2.15': ({ apiserver }) => isFalse(apiserver['profiling']),
  '1.2.16': ({ apiserver }) => 'audit-log-path' in apiserver,
  '1.2.17': ({ apiserver }) => Number(apiserver['audit-log-maxage']) >= 30,
  '1.2.18': ({ apiserver }) => Number(apiserver['audit-log-maxbackup']) >= 10,
  '1.2.19': ({ apiserver }) => Number(apiserver['audit-log-maxsize']) >= 100,
  '1.2.21': ({ apiserver }) => !isFalse(apiserver['service-account-lookup']),
  '1.2.22': ({ apiserver }) => 'service-account-key-file' in apiserver,
  '1.2.23': ({ apiserver }) => 'etcd-certfile' in apiserver && 'etcd-keyfile' in apiserver,
  '1.2.24': ({ apiserver }) => 'tls-cert-file' in apiserver && 'tls-private-key-file' in apiserver,
  '1.2.25': ({ apiserver }) => 'client-ca-file' in apiserver,
  '1.2.26': ({ apiserver }) => 'etcd-cafile' in apiserver,
  '1.2.27': ({ apiserver, files }) => 'encryption-provider-config' in apiserver && files.includes('encryption'),
  '1.2.28': ({ apiserver }) =>
    'encryption-provider-config' in apiserver &&
    'secretbox' in parse(encryptionConfig(new Secret('0123456789abcdef'))).resources[0].providers[0],
  '1.2.29': ({ apiserver }) => strong((apiserver['tls-cipher-suites'] ?? '').split(',')),
  '1.2.30': ({ apiserver }) => isFalse(apiserver['service-account-extend-token-expiration']),
  '1.3.1': ({ controllerManager }) => Number(controllerManager['terminated-pod-gc-threshold']) > 0,
  '1.3.2': ({ controllerManager }) => isFalse(controllerManager['profiling']),
  '1.3.3': ({ controllerManager }) => controllerManager['use-service-account-credentials'] === 'true',
  '1.3.4': ({ controllerManager }) => 'service-account-private-key-file' in controllerManager,
  '1.3.5': ({ controllerManager }) => 'root-ca-file' in controllerManager,
  '1.3.7': ({ controllerManager }) => controllerManager['bind-address'] === '127.0.0.1',
  '1.4.1': ({ scheduler }) => isFalse(scheduler['profiling']),
  '1.4.2': ({ scheduler }) => scheduler['bind-address'] === '127.0.0.1',
  '2.1': ({ etcd }) => /^ETCD_CERT_FILE=/m.test(etcd) && /^ETCD_KEY_FILE=/m.test(etcd),
  '2.2': ({ etcd }) => /^ETCD_CLIENT_CERT_AUTH=true$/m.test(etcd),
  '2.3': ({ etcd }) => !/^ETCD_AUTO_TLS=/m.test(etcd),
  '2.4': ({ etcd }) => /^ETCD_PEER_CERT_FILE=/m.test(etcd) && /^ETCD_PEER_KEY_FILE=/m.test(etcd),
  '2.5': ({ etcd }) => /^ETCD_PEER_CLIENT_CERT_AUTH=true$/m.test(etcd),
  '2.6': ({ etcd }) => !/^ETCD_PEER_AUTO_TLS=/m.test(etcd),
  '3.2.1': ({ apiserver, files }) => 'audit-policy-file' in apiserver && files.includes('audit-policy'),
  '4.1.1': async ({ cluster, isBinary }) => {
    const step = isBinary ? configureKubelet(cluster) : installKubelet(cluster, fakeAssets(cluster));
    return (await modesOf(step, cluster))[KUBELET_UNIT] === '600';
  },
  '4.1.9': async ({ cluster, isBinary }) => {
    const step = isBinary ? configureKubelet(cluster) : updateKubelet(kubeadmInitOptions(cluster, []));
    return (await modesOf(step, cluster))[KUBELET_CONFIG] === '600';
  },
  '4.2.1': ({ kubelet }) => kubelet.authentication.anonymous.enabled === false,
  '4.2.2': ({ kubelet }) => kubelet.authorization.mode === 'Webhook',
  '4.2.3': ({ kubelet }) => kubelet.authentication.x509.clientCAFile !== undefined,
  '4.2.4': ({ kubelet }) => (kubelet['readOnlyPort'] ?? 0) === 0,
  '4.2.5': ({ kubelet }) => kubelet['streamingConnectionIdleTimeout'] !== '0s',
  '4.2.6': ({ kubelet }) => kubelet['protectKernelDefaults'] === true,
  '4.2.7': ({ kubeletUnit }) => !kubeletUnit.includes('hostname-override'),
  '4.2.8': ({ kubelet }) => Number(kubelet['eventRecordQPS'] ?? 50) > 0,
  '4.2.9': ({ kubelet }) => kubelet['tlsCertFile'] !== undefined || kubelet['serverTLSBootstrap'] === true,
  '4.2.10': ({ kubelet }) => kubelet['rotateCertificates'] === true,
  '4.2.11': ({ kubelet, isBinary }) => kubelet['serverTLSBootstrap'] === true || (isBinary && 'tlsCertFile' in kubelet),
  '4.2.12': ({ kubelet }) => strong(kubelet.tlsCipherSuites ?? []),
  '4.2.13': ({ kubelet }) => Number(kubelet['podPidsLimit']) > 0,
  '4.2.14': ({ kubelet }) => kubelet['seccompDefault'] === true,
  '5.2': ({ files }) =>
    files.includes('admission') && parse(admissionConfig()).plugins[0].configuration.defaults.enforce === 'baseline',
};

describe.each(TYPES)('a %s cluster', (type) => {
  describe.each(PROFILES)('with the profile %s', (profile) => {
    it.each(cisControls.filter(({ status }) => status[type][profile] !== 'manual'))(
      'has the documented result of $id: $title',
      async ({ id, status }) => {
        const files = rendered(await load(type, profile));
        const passes = id in checks ? await checks[id]!(files) : false;
        expect(passes ? 'pass' : 'fail').toBe(status[type][profile]);
      },
    );
  });
});

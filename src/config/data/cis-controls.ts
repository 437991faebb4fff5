import type { KUBERNETES_TYPES, SECURITY_PROFILES } from './choices.ts';

/** Whether a cluster passes a control. `manual`: requires a manual assessment. */
export type CisStatus = 'pass' | 'fail' | 'manual';

/** A control of the CIS Kubernetes Benchmark 1.10 and the result for clusters created by kubexm. */
export interface CisControl {
  readonly id: string;
  readonly title: string;
  readonly status: Readonly<
    Record<(typeof KUBERNETES_TYPES)[number], Readonly<Record<(typeof SECURITY_PROFILES)[number], CisStatus>>>
  >;
  readonly remark: string;
}

type ByProfile = CisControl['status']['kubeadm'];

const PASS: ByProfile = { default: 'pass', cis: 'pass' };
const FAIL: ByProfile = { default: 'fail', cis: 'fail' };
const MANUAL: ByProfile = { default: 'manual', cis: 'manual' };
/** Enabled by `security.profile: cis`. */
const WITH_CIS: ByProfile = { default: 'fail', cis: 'pass' };

const control = (id: string, title: string, status: ByProfile, remark = '', binary = status): CisControl => ({
  id,
  title,
  status: { kubeadm: status, kubexm: binary },
  remark,
});

const WORKLOADS = 'Depends on the workloads.';

/** The controls that kubexm affects. A test verifies each status against the files that kubexm writes. */
export const cisControls: readonly CisControl[] = [
  control('1.1.9', 'CNI files have mode 600', MANUAL, 'Network plugins write these files.'),
  control('1.1.11', 'The etcd data directory has mode 700', PASS),
  control('1.1.12', 'The etcd data directory belongs to etcd:etcd', PASS, 'Fails with etcd.type kubeadm, whose Pods run as root.'),
  control('1.1.20', 'Certificates have mode 600', MANUAL, 'Certificates are public; keys have mode 600.'),
  control('1.1.21', 'Keys have mode 600', PASS),
  control('1.2.1', 'Anonymous requests are rejected', WITH_CIS, 'With Kubernetes 1.32 or newer, anonymous requests are limited to the health endpoints, which load balancers and kubelets probe without credentials.'),
  control('1.2.2', 'Static tokens are not used', PASS),
  control('1.2.3', 'DenyServiceExternalIPs is enabled', WITH_CIS),
  control('1.2.4', 'API servers authenticate to kubelets with a certificate', PASS),
  control('1.2.5', 'API servers verify kubelet certificates', PASS, 'kubexm approves the certificate requests of kubelets. In binary mode, kubexm issues their certificates.'),
  control('1.2.6', 'Authorization is not AlwaysAllow', PASS),
  control('1.2.7', 'Authorization includes Node', PASS),
  control('1.2.8', 'Authorization includes RBAC', PASS),
  control('1.2.9', 'EventRateLimit is enabled', WITH_CIS),
  control('1.2.10', 'AlwaysAdmit is disabled', PASS),
  control('1.2.11', 'AlwaysPullImages is enabled', MANUAL, 'Disabled, because Pods could not start while the registry is down. Enable it in kubernetes.apiserver.extraArgs.enable-admission-plugins.'),
  control('1.2.12', 'ServiceAccount is enabled', PASS),
  control('1.2.13', 'NamespaceLifecycle is enabled', PASS),
  control('1.2.14', 'NodeRestriction is enabled', PASS, 'Plugins from the cluster file are enabled in addition.'),
  control('1.2.15', 'API server profiling is disabled', PASS),
  control('1.2.16', 'The API server writes an audit log', WITH_CIS, 'Also with kubernetes.audit: true.'),
  control('1.2.17', 'Audit logs are kept for 30 days', WITH_CIS),
  control('1.2.18', 'Ten audit logs are kept', WITH_CIS),
  control('1.2.19', 'Audit logs are limited to 100 MB each', WITH_CIS),
  control('1.2.21', 'Tokens of deleted service accounts are rejected', PASS),
  control('1.2.22', 'Service account tokens are verified with a key file', PASS),
  control('1.2.23', 'API servers authenticate to etcd with a certificate', PASS),
  control('1.2.24', 'The API server uses a TLS certificate', PASS),
  control('1.2.25', 'Client certificates are verified', PASS),
  control('1.2.26', 'API servers verify etcd certificates', PASS),
  control('1.2.27', 'Secrets are encrypted in etcd', WITH_CIS, 'Also with kubernetes.encryptionAtRest: true.'),
  control('1.2.28', 'The encryption provider is strong', WITH_CIS, 'secretbox.'),
  control('1.2.29', 'The API server uses strong cipher suites', PASS),
  control('1.2.30', 'Service account tokens are not extended', WITH_CIS),
  control('1.3.1', 'Finished Pods are deleted', PASS, 'terminated-pod-gc-threshold is 1000.'),
  control('1.3.2', 'Controller manager profiling is disabled', PASS),
  control('1.3.3', 'Each controller has its own credentials', PASS),
  control('1.3.4', 'The controller manager signs service account tokens with a key file', PASS),
  control('1.3.5', 'The controller manager publishes the root CA to Pods', PASS),
  control('1.3.7', 'The controller manager listens on loopback', PASS),
  control('1.4.1', 'Scheduler profiling is disabled', PASS),
  control('1.4.2', 'The scheduler listens on loopback', PASS),
  control('2.1', 'etcd uses a TLS certificate', PASS),
  control('2.2', 'etcd verifies client certificates', PASS),
  control('2.3', 'etcd does not use self-signed certificates', PASS),
  control('2.4', 'etcd uses a TLS certificate for peer connections', PASS),
  control('2.5', 'etcd verifies peer certificates', PASS),
  control('2.6', 'etcd does not use self-signed certificates for peers', PASS),
  control('3.2.1', 'An audit policy exists', WITH_CIS),
  control('3.2.2', 'The audit policy covers key security concerns', { default: 'fail', cis: 'manual' }, 'Changes are logged with their content, except for Secrets and tokens.'),
  control('4.1.1', 'The kubelet unit file has mode 600', PASS),
  control('4.1.9', 'The kubelet configuration has mode 600', PASS),
  control('4.2.1', 'The kubelet rejects anonymous requests', PASS),
  control('4.2.2', 'Kubelet authorization is not AlwaysAllow', PASS),
  control('4.2.3', 'The kubelet verifies client certificates', PASS),
  control('4.2.4', 'The read-only port is disabled', PASS),
  control('4.2.5', 'Idle connections are closed', PASS),
  control('4.2.6', 'protectKernelDefaults is enabled', PASS, 'Removed from newer versions of the benchmark. Not enabled on hosts that are containers or with system.sysctl: keep.'),
  control('4.2.7', 'hostname-override is not set', PASS, 'In binary mode, it sets the node name to the name in the cluster file.', FAIL),
  control('4.2.8', 'Events are rate-limited', PASS),
  control('4.2.9', 'The kubelet certificate is signed by the cluster CA', PASS),
  control('4.2.10', 'Kubelet client certificates are rotated', PASS),
  control('4.2.11', 'Kubelet serving certificates are rotated', PASS, 'In binary mode, kubexm issues and renews them.'),
  control('4.2.12', 'The kubelet uses strong cipher suites', PASS),
  control('4.2.13', 'The number of processes in a Pod is limited', PASS),
  control('4.2.14', 'Pods use the default seccomp profile', WITH_CIS),
  control('5.1', 'RBAC and service accounts', MANUAL, WORKLOADS),
  control('5.2', 'Pod Security Standards', { default: 'fail', cis: 'pass' }, 'Enforces baseline; audits and warns about violations of restricted, except in namespaces of system components. Namespace labels take precedence.'),
  control('5.3', 'Network policies', MANUAL, WORKLOADS),
];

import { BALANCER_HEALTH_PORT } from '../../config/model/ports.ts';
import { yamlDocuments } from '../yaml-documents.ts';

/** Folder of static Pod manifests. */
export const MANIFESTS = '/etc/kubernetes/manifests';

/** A load balancer that runs as a static Pod. */
export interface BalancerPodOptions {
  readonly name: 'haproxy' | 'nginx';
  readonly image: string;
  /** Folder with its configuration on the node. */
  readonly folder: string;
  /** Digest of the configuration, so that the kubelet recreates the pod when it changes. */
  readonly digest: string;
  readonly port: number;
}

export const balancerPod = (options: BalancerPodOptions): string => yamlDocuments([podOf(options)]);

const podOf = ({ name, image, folder, digest, port }: BalancerPodOptions) => {
  const { command, mountPath } = PROGRAMS[name];
  const probe = { httpGet: { host: '127.0.0.1', path: '/healthz', port: BALANCER_HEALTH_PORT } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `kubexm-${name}`,
      namespace: 'kube-system',
      labels: { 'app.kubernetes.io/name': `kubexm-${name}`, 'app.kubernetes.io/managed-by': 'kubexm' },
      annotations: { 'kubexm.mensylisir.io/config': digest },
    },
    spec: {
      hostNetwork: true,
      dnsPolicy: 'Default',
      priorityClassName: 'system-node-critical',
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name,
          image,
          imagePullPolicy: 'IfNotPresent',
          command,
          resources: { requests: { cpu: '25m', memory: '32Mi' } },
          // Ports below 1024 require root.
          securityContext: { allowPrivilegeEscalation: false, ...(port < 1024 && { runAsUser: 0 }) },
          livenessProbe: { ...probe, initialDelaySeconds: 5, periodSeconds: 10, failureThreshold: 3 },
          readinessProbe: { ...probe, periodSeconds: 5 },
          volumeMounts: [{ name: 'config', mountPath, readOnly: true }],
        },
      ],
      volumes: [{ name: 'config', hostPath: { path: folder, type: 'Directory' } }],
    },
  };
};

const PROGRAMS = {
  haproxy: {
    command: ['haproxy', '-W', '-db', '-f', '/usr/local/etc/haproxy/haproxy.cfg'],
    mountPath: '/usr/local/etc/haproxy',
  },
  nginx: { command: ['nginx', '-c', '/etc/kubexm/nginx.conf', '-g', 'daemon off;'], mountPath: '/etc/kubexm' },
} as const;

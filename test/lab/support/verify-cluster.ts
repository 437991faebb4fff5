import { expect } from 'vitest';
import type { Lab } from '../../../src/lab/up.ts';
import { sshText } from '../support.ts';

/** Runs kubectl on a machine and resolves with its output. */
export type Kubectl = (command: string) => Promise<string>;

export const kubectlOn =
  (lab: () => Lab, machine = 'node1'): Kubectl =>
  (command) =>
    sshText(lab(), machine, `kubectl --kubeconfig /etc/kubernetes/admin.conf --cache-dir /run/kubectl ${command}`);

/**
 * Verifies that a cluster works: one pod per node, pod-to-pod traffic, DNS, services, `kubectl logs` and `kubectl exec`.
 * Pass `nodes` to check only these while others are down.
 */
export async function verifyCluster(kubectl: Kubectl, nodes?: readonly string[]): Promise<void> {
  await kubectl(`apply -f - <<'END'\n${MANIFEST}\nEND`);
  if (nodes === undefined) {
    await kubectl('rollout status daemonset/echo --timeout=600s');
    await kubectl('-n kube-system rollout status deployment/coredns --timeout=600s');
  } else for (const node of nodes) await awaitPodOn(kubectl, node);
  const path = '{range .items[*]}{.metadata.name} {.spec.nodeName} {.status.podIP}{"\\n"}{end}';
  const list = await kubectl(`get pods -l app=echo -o 'jsonpath=${path}'`);
  const pods = list
    .split('\n')
    .map((line) => {
      const [pod = '', node = '', address = ''] = line.split(' ');
      return [pod, node, address] as const;
    })
    .filter(([, node]) => nodes === undefined || nodes.includes(node));
  for (const [pod] of pods) {
    for (const [, node, address] of pods)
      expect(await execIn(kubectl, pod, `wget -qO- http://${address}:8080`)).toBe(node);
    await expect.poll(() => execIn(kubectl, pod, NSLOOKUP), { timeout: 180_000, interval: 1000 }).toBe('found');
    expect(pods.map(([, node]) => node)).toContain(await execIn(kubectl, pod, 'wget -qO- http://echo:8080'));
    expect(await kubectl(`logs ${pod}`)).toContain('listening');
  }
  await kubectl('delete daemonset/echo service/echo --wait=true --timeout=120s');
}

/** `kubectl wait` fails if the pod does not exist yet, so poll for the pod first. */
async function awaitPodOn(kubectl: Kubectl, node: string): Promise<void> {
  const pod = `pod -l app=echo --field-selector spec.nodeName=${node}`;
  await expect.poll(() => kubectl(`get ${pod} -o name`), { timeout: 300_000, interval: 1000 }).not.toBe('');
  await kubectl(`wait ${pod} --for=condition=Ready --timeout=600s`);
}

const NSLOOKUP = "sh -c 'nslookup echo.default.svc.cluster.local >/dev/null && echo found || true'";
const execIn = (kubectl: Kubectl, pod: string, command: string) => kubectl(`exec ${pod} -- ${command}`);

const MANIFEST = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'echo', namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'echo' } },
        template: {
          metadata: { labels: { app: 'echo' } },
          spec: {
            terminationGracePeriodSeconds: 1,
            tolerations: [{ operator: 'Exists' }],
            containers: [
              {
                name: 'echo',
                image: 'docker.io/library/busybox:1.37.0',
                env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
                command: [
                  'sh',
                  '-c',
                  'mkdir -p /www; printf %s "$NODE" >/www/index.html; echo listening; exec httpd -f -p 8080 -h /www',
                ],
                readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
              },
            ],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'echo', namespace: 'default' },
      spec: { selector: { app: 'echo' }, ports: [{ port: 8080 }] },
    },
  ],
});

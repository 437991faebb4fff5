import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors from Kubernetes and its addons. */
export const kubernetesErrors = {
  CONTROL_PLANE_MISSING: entry(EXIT.command, { host: 'node1', path: '/etc/kubernetes/pki/ca.crt' }, (p) => ({
    title: `There is no control plane on ${p.host} to join`,
    message: `${p.path} is missing because the control plane was never created or was rolled back. Nothing was changed.`,
    hint: 'Create the cluster first: kubexm create cluster -f FILE --resume',
  })),
  CONTROL_PLANE_UNHEALTHY: entry(EXIT.command, { host: 'node1' }, (p) => ({
    title: `The control plane on ${p.host} does not respond`,
    message:
      'It already exists and is not created again, because that would delete the cluster data. Nothing was changed.',
    hint: `Find and fix the cause, then repeat the command with --resume. Start with: kubexm run command --nodes ${p.host} -f FILE -- 'systemctl status kubelet kube-apiserver; crictl ps -a'; kubexm health cluster -f FILE`,
  })),
  CONTROL_PLANE_ELSEWHERE: entry(EXIT.refused, { host: 'node1', other: 'node2' }, (p) => ({
    title: `${p.other} has a control plane, but ${p.host} has none`,
    message: `A new control plane on ${p.host} would be a separate cluster without the existing nodes. Nothing was changed.`,
    hint: `If ${p.host} was replaced, list ${p.other} first in roleGroups.master of the cluster file, then: kubexm create cluster -f FILE`,
  })),
  CHANGE_UNSUPPORTED: entry(EXIT.plan, { host: 'node1', fields: 'kubernetes.version' }, (p) => ({
    title: 'This change to a running cluster is not supported yet',
    message: `These fields in the cluster file have changed since ${p.host} was created: ${p.fields}. No host was changed.`,
    hint: 'Restore the old values (the applied configuration is in .kubexm/CLUSTER/state.json), then: kubexm create cluster -f FILE',
  })),
  CALICO_POOL_FIXED: entry(
    EXIT.plan,
    { field: 'network.ippool.blockSize', pool: 'default-ipv4-ippool', now: '/26', wanted: '/24' },
    (p) => ({
      title: `${p.field} cannot be changed in a running cluster`,
      message: `The Calico IP pool ${p.pool} has ${p.now}, but the cluster file requires ${p.wanted}. Running Pods use addresses from this pool. Nothing was changed.`,
      hint: `Set ${p.field} to the value of the pool (${p.now}), then: kubexm create cluster -f FILE. To use another value, migrate the Pods to a new Calico IP pool`,
    }),
  ),
  SERVING_CERTIFICATE: entry(
    EXIT.command,
    { host: 'node1', reason: 'csr-x7k2p: the cluster file has other names or addresses than 10.0.0.9' },
    (p) => ({
      title: `The kubelet on ${p.host} has no serving certificate`,
      message: `API servers verify kubelet serving certificates. kubexm approves only certificate requests for the name and internal addresses of a host in the cluster file: ${p.reason}.`,
      hint: `Correct internalAddress of ${p.host} in the cluster file, or check the kubelet log: kubexm run command -f FILE --nodes ${p.host} -- journalctl -u kubelet -n 50`,
    }),
  ),
  ENCRYPTION_IN_USE: entry(EXIT.refused, { host: 'node1' }, (p) => ({
    title: 'Encryption of Secrets cannot be disabled',
    message: `The API server on ${p.host} encrypts Secrets in etcd and could not read them without the encryption key. Nothing was changed.`,
    hint: 'Set kubernetes.encryptionAtRest: true in the cluster file, then: kubexm create cluster -f FILE',
  })),
  ETCD_DATA_KEPT: entry(EXIT.plan, { host: 'node1', path: '/var/lib/etcd' }, (p) => ({
    title: `${p.host} has data from an earlier etcd installation`,
    message: `${p.path} is not empty, and no control plane on this host uses it; \`delete cluster --preserve-data\` keeps such data. kubeadm requires an empty directory. Nothing was changed.`,
    hint: `Rename the directory, then create the cluster again: kubexm run command --nodes ${p.host} -f FILE -- mv ${p.path} ${p.path}.kept`,
  })),
  NOT_READY_YET: entry(EXIT.plan, { what: 'addon kata', instead: 'another addon, or none' }, (p) => ({
    title: `${p.what} cannot be installed yet`,
    message:
      'It is valid in the cluster file and its artifacts can be downloaded, but this version of kubexm cannot install it. Nothing was changed.',
    hint: `Use ${p.instead} in the cluster file, then: kubexm validate cluster -f FILE`,
  })),
  ADDON_UNKNOWN: entry(EXIT.usage, { name: 'metric-server', known: 'metallb, metrics-server' }, (p) => ({
    title: `Unknown addon ${p.name}`,
    message: `It is neither in the cluster file nor in the catalog. Available addons: ${p.known}.`,
    hint: 'List the addons of the cluster file: kubexm addon list -f FILE',
  })),
  ADDON_FILE: entry(EXIT.command, { path: 'values.yaml', reason: 'no such file or directory' }, (p) => ({
    title: `Could not read the addon file ${p.path}`,
    message: `spec.addons in the cluster file refers to this path on this machine: ${p.reason}.`,
    hint: `Check the file: ls -l ${p.path}`,
  })),
  CHART_INVALID: entry(EXIT.command, { file: 'charts/dashboard-7.1.0.tgz' }, (p) => ({
    title: `${p.file} is not a Helm chart`,
    message: 'A packaged chart must contain a Chart.yaml with a name and a version. Nothing was installed.',
    hint: `List the contents: tar -tzf ${p.file}`,
  })),
  MANIFEST_INVALID: entry(EXIT.command, { from: 'flannel 0.28.9', reason: 'an object has no kind or name' }, (p) => ({
    title: `Invalid manifest: ${p.from}`,
    message: `The checksum matches, but the manifest is invalid: ${p.reason}. Nothing was applied.`,
    hint: 'Check whether artifacts.overrides in the cluster file sets another version or URL: kubexm get artifacts -f FILE',
  })),
  WORKLOAD_FAILED: entry(
    EXIT.command,
    {
      name: 'NodeLocalDNS',
      host: 'node1',
      node: 'node2',
      namespace: 'kube-system',
      pod: 'node-local-dns-x7k2p',
      container: 'node-cache',
      state: 'CrashLoopBackOff',
      restarts: 4,
      output: '[FATAL] failed to add the interface nodelocaldns: operation not supported',
    },
    (p) => ({
      title: `${p.name} did not start${p.node && ` on ${p.node}`}`,
      message:
        `Container ${p.container} of Pod ${p.namespace}/${p.pod} is in state ${p.state}${p.restarts > 0 ? ` after ${p.restarts} restarts` : ''}. ${p.output ? `Its last output:\n${p.output.trimEnd().split('\n').slice(-8).join('\n')}` : ''}`.trimEnd(),
      hint: `Show the Pod events: kubexm run command --nodes ${p.host} -f FILE -- kubectl --kubeconfig /etc/kubernetes/admin.conf -n ${p.namespace} describe pod ${p.pod}`,
    }),
  ),
  API_SILENT: entry(EXIT.connection, { host: 'node1', reason: 'connection refused' }, (p) => ({
    title: `The API server on ${p.host} did not respond`,
    message: `A request sent from ${p.host} itself failed: ${p.reason}`,
    hint: 'Find the cause: kubexm health cluster -f FILE',
  })),
  API_UNAVAILABLE: entry(
    EXIT.command,
    { doing: 'list nodes', reasons: 'node1: connection refused; node2: not ready: etcd' },
    (p) => ({
      title: 'No API server responded',
      message: `Could not ${p.doing} through any master. ${p.reasons}`,
      hint: 'Find the cause: kubexm health cluster -f FILE',
    }),
  ),
  API_DENIED: entry(EXIT.command, { doing: 'list nodes', host: 'node1', reason: 'Unauthorized' }, (p) => ({
    title: `The API server refused to ${p.doing}`,
    message: `The API server on ${p.host} denied the request of the administrator: ${p.reason}`,
    hint: `Check the admin credentials on ${p.host}: kubectl --kubeconfig /etc/kubernetes/admin.conf auth whoami`,
  })),
  API_NOT_FOUND: entry(
    EXIT.command,
    { doing: 'patch node w9', host: 'node1', reason: 'nodes "w9" not found' },
    (p) => ({
      title: `Could not ${p.doing}: not found`,
      message: `The API server on ${p.host} responded: ${p.reason}`,
      hint: 'List the nodes: kubexm get nodes -f FILE',
    }),
  ),
  API_CONFLICT: entry(
    EXIT.command,
    { doing: 'delete node w9', host: 'node1', reason: 'the UID in the precondition does not match' },
    (p) => ({
      title: `Could not ${p.doing}: the object has changed`,
      message: `The API server on ${p.host} responded: ${p.reason}`,
      hint: 'Repeat the command: it reads the current state first.',
    }),
  ),
  API_REJECTED: entry(EXIT.command, { doing: 'patch node w9', host: 'node1', reason: 'is invalid' }, (p) => ({
    title: `The API server refused to ${p.doing}`,
    message: `The API server on ${p.host} responded: ${p.reason}`,
    hint: 'Fix what the message names, then repeat the command.',
  })),
  NODE_NOT_FOUND: entry(EXIT.config, { node: 'worker9' }, (p) => ({
    title: `The cluster has no node ${p.node}`,
    message: `The API server has no Node object named ${p.node}.`,
    hint: 'List the nodes: kubexm get nodes -f FILE',
  })),
  DRAIN_REFUSED: entry(
    EXIT.refused,
    { node: 'worker1', bare: 'default/debug', local: 'default/cache-7d9f' },
    (p: { node: string; bare: string; local: string }) => ({
      title: `${p.node} was not drained, because pods or data would be lost`,
      message: [
        ...(p.bare ? [`No controller starts these pods again: ${p.bare}`] : []),
        ...(p.local ? [`These pods lose the content of their emptyDir volumes: ${p.local}`] : []),
      ].join('\n'),
      hint: [
        'To evict them anyway, add',
        [...(p.bare ? ['--force'] : []), ...(p.local ? ['--delete-emptydir-data'] : [])].join(' '),
      ].join(' '),
    }),
  ),
  DRAIN_TIMED_OUT: entry(
    EXIT.command,
    {
      node: 'worker1',
      after: '10 min',
      count: 1,
      waiting: 'default/web-1 waits for the disruption budget web since 14:03:59: it needs 2 healthy pods and has 2',
    },
    (p) => ({
      title: `Timed out waiting for ${p.count === 1 ? 'a pod' : `${p.count} pods`} on ${p.node} after ${p.after}`,
      message: p.waiting,
      hint: 'Find the cause: kubectl get poddisruptionbudgets -A. Then repeat the command with --resume, or with a longer --timeout.',
    }),
  ),
  STATE_UNPUBLISHED: entry(EXIT.command, { host: 'node1' }, (p) => ({
    title: 'The Secret kube-system/kubexm-state does not contain the applied state',
    message: `The Secret was applied on ${p.host}, but reading it back returned different content, so the ConfigMap written by an earlier version was kept.`,
    hint: 'Publish it again: kubexm run task save-state -f FILE',
  })),
  KUBECONFIG_MISSING: entry(EXIT.config, { path: '.kubexm/prod/kubeconfig', cluster: 'prod' }, (p) => ({
    title: `The kubeconfig of ${p.cluster} is missing`,
    message: `${p.path} does not exist. \`create cluster\` writes it to the working directory.`,
    hint: `Fetch it from the cluster: kubexm run task fetch-kubeconfig -c ${p.cluster}`,
  })),
  KUBECONFIG_TAKEN: entry(
    EXIT.refused,
    { path: '/home/ada/.kube/config', name: 'prod', list: 'contexts', own: '/clusters/.kubexm/prod/kubeconfig' },
    (p) => ({
      title: `${p.path} already has another entry named ${p.name}`,
      message: `The list "${p.list}" already contains an entry with this name for another cluster. Nothing was changed.`,
      hint: `Rename that entry, or use the kubeconfig of the cluster directly: kubectl --kubeconfig ${p.own} get nodes`,
    }),
  ),
  KUBECONFIG_REFUSED: entry(
    EXIT.refused,
    {
      host: 'node1',
      path: '/etc/kubernetes/admin.conf',
      reason: 'it has fields that kubexm does not write: exec, proxy-url',
    },
    (p) => ({
      title: `The kubeconfig on ${p.host} was rejected`,
      message: `${p.path} was modified by something other than kubexm or kubeadm: ${p.reason}. A modified kubeconfig can run commands on this machine or redirect kubectl, so it was not saved here. Someone with root access to ${p.host} may have modified it.`,
      hint: `Inspect it: kubexm run command --nodes ${p.host} -f FILE -- cat ${p.path}. If the cluster was recreated without kubexm and has a new CA, remove the old kubeconfig first: rm .kubexm/CLUSTER/kubeconfig`,
    }),
  ),
  KUBECONFIG_INVALID: entry(EXIT.config, { path: '/home/ada/.kube/config' }, (p) => ({
    title: `${p.path} is not a valid kubeconfig`,
    message: 'It must be YAML with lists of clusters, users and contexts. Nothing was changed.',
    hint: `Check it: kubectl --kubeconfig ${p.path} config view`,
  })),
};

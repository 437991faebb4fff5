import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** What goes wrong with Kubernetes itself. */
export const kubernetesErrors = {
  CONTROL_PLANE_MISSING: entry(EXIT.command, { host: 'node1', path: '/etc/kubernetes/pki/ca.crt' }, (p) => ({
    title: `${p.host} has no control plane to join`,
    message: `There is no ${p.path} on it, so no control plane was made there, or it was undone. Nothing was changed.`,
    hint: 'Create the cluster first: kubexm create cluster -f FILE --resume',
  })),
  CONTROL_PLANE_UNHEALTHY: entry(EXIT.command, { host: 'node1' }, (p) => ({
    title: `The control plane on ${p.host} does not answer`,
    message:
      'It was made and ran before, so it is left as it is: making it anew would cost the data of the cluster. Nothing was changed.',
    hint: `Look what is wrong, mend it, then go on: kubexm run command --nodes ${p.host} -f FILE -- 'systemctl status kubelet kube-apiserver; crictl ps -a'; kubexm health cluster -f FILE`,
  })),
  CONTROL_PLANE_ELSEWHERE: entry(EXIT.refused, { host: 'node1', other: 'node2' }, (p) => ({
    title: `${p.other} has a control plane, and ${p.host} has none`,
    message: `A new one on ${p.host} would be another cluster, and the nodes of this one would be lost to it. Nothing was changed.`,
    hint: `If ${p.host} was replaced, put ${p.other} first in roleGroups.master of the file, then: kubexm create cluster -f FILE`,
  })),
  CHANGE_UNSUPPORTED: entry(EXIT.plan, { host: 'node1', fields: 'kubernetes.version' }, (p) => ({
    title: 'A cluster that runs cannot be changed in this way yet',
    message: `The file does not say what it said when ${p.host} was made, in what creating it again does not change: ${p.fields}. Nothing was changed.`,
    hint: 'Put it back as it was; what was applied last stands in .kubexm/CLUSTER/state.json. Then: kubexm create cluster -f FILE',
  })),
  ETCD_DATA_KEPT: entry(EXIT.plan, { host: 'node1', path: '/var/lib/etcd' }, (p) => ({
    title: `Data of an earlier etcd is on ${p.host}`,
    message: `${p.path} has content that no control plane of this host uses; \`delete cluster --preserve-data\` leaves it there. kubeadm begins with an empty folder. Nothing was changed.`,
    hint: `Move it away, then create again: kubexm run command --nodes ${p.host} -f FILE -- mv ${p.path} ${p.path}.kept`,
  })),
  NOT_READY_YET: entry(EXIT.plan, { what: 'addon kata', instead: 'another addon, or none' }, (p) => ({
    title: `${p.what} cannot be installed yet`,
    message:
      'The file may say so, and its artifacts can be fetched, but this version cannot install it. Nothing was changed.',
    hint: `Use ${p.instead} in the file, then: kubexm validate cluster -f FILE`,
  })),
  ADDON_UNKNOWN: entry(EXIT.usage, { name: 'metric-server', known: 'metallb, metrics-server' }, (p) => ({
    title: `There is no addon ${p.name}`,
    message: `Neither the file nor the catalog has it. Known are ${p.known}.`,
    hint: 'List those of the file: kubexm addon list -f FILE',
  })),
  ADDON_FILE: entry(EXIT.command, { path: 'values.yaml', reason: 'no such file or directory' }, (p) => ({
    title: `${p.path} of an addon cannot be read`,
    message: `It is named in addons of the cluster file, as a path on this machine: ${p.reason}.`,
    hint: `Look at it: ls -l ${p.path}`,
  })),
  CHART_INVALID: entry(EXIT.command, { file: 'charts/dashboard-7.1.0.tgz' }, (p) => ({
    title: `${p.file} is no chart`,
    message: 'It is no packed chart with a Chart.yaml that tells name and version. Nothing was installed.',
    hint: `See what is in it: tar -tzf ${p.file}`,
  })),
  MANIFEST_INVALID: entry(EXIT.command, { from: 'flannel 0.28.9', reason: 'an object has no kind or name' }, (p) => ({
    title: `${p.from} is no manifest that can be used`,
    message: `It was downloaded whole, but it cannot be read: ${p.reason}. Nothing was applied.`,
    hint: 'Look whether artifacts.overrides of the file names another version or URL: kubexm get artifacts -f FILE',
  })),
  API_SILENT: entry(EXIT.connection, { host: 'node1', said: 'connection refused' }, (p) => ({
    title: `The API server of ${p.host} does not tell`,
    message: `It was asked on that host, and this came back: ${p.said}`,
    hint: 'See what is wrong: kubexm health cluster -f FILE',
  })),
  KUBECONFIG_MISSING: entry(EXIT.config, { path: '.kubexm/prod/kubeconfig', cluster: 'prod' }, (p) => ({
    title: `There is no kubeconfig of ${p.cluster} here`,
    message: `${p.path} is written when a cluster is created from this working directory.`,
    hint: `Fetch it again: kubexm run task fetch-kubeconfig -c ${p.cluster}`,
  })),
  KUBECONFIG_TAKEN: entry(
    EXIT.refused,
    { path: '/home/ada/.kube/config', name: 'prod', list: 'contexts', own: '/clusters/.kubexm/prod/kubeconfig' },
    (p) => ({
      title: `${p.path} has another ${p.name} already`,
      message: `Among its ${p.list} is one of this name that did not come from this cluster. Nothing was changed.`,
      hint: `Call that one differently, or use the file of the cluster alone: kubectl --kubeconfig ${p.own} get nodes`,
    }),
  ),
  KUBECONFIG_INVALID: entry(EXIT.config, { path: '/home/ada/.kube/config' }, (p) => ({
    title: `${p.path} is not understood`,
    message: 'It is no YAML with lists of clusters, users and contexts. Nothing was changed.',
    hint: `Look what is wrong: kubectl --kubeconfig ${p.path} config view`,
  })),
};

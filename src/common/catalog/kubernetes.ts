import { EXIT } from '../exit-codes.ts';
import { entry } from './entry.ts';

/** What goes wrong with Kubernetes itself. */
export const kubernetesErrors = {
  CONTROL_PLANE_MISSING: entry(EXIT.command, { host: 'node1', path: '/etc/kubernetes/pki/ca.crt' }, (p) => ({
    title: `${p.host} has no control plane to join`,
    message: `There is no ${p.path} on it, so kubeadm has not run there or was undone. Nothing was changed.`,
    hint: 'Create the cluster first: kubexm create cluster -f FILE --resume',
  })),
  NOT_READY_YET: entry(EXIT.plan, { what: 'network.plugin: calico', instead: 'network.plugin: flannel' }, (p) => ({
    title: `${p.what} cannot be installed yet`,
    message:
      'The file may say so, and its artifacts can be fetched, but this version cannot install it. Nothing was changed.',
    hint: `Use ${p.instead} in the file.`,
  })),
  MANIFEST_INVALID: entry(EXIT.command, { from: 'flannel 0.28.9', reason: 'an object has no kind or name' }, (p) => ({
    title: `${p.from} is no manifest that can be used`,
    message: `It was downloaded whole, but it cannot be read: ${p.reason}. Nothing was applied.`,
    hint: 'Look whether artifacts.overrides of the file names another version or URL: kubexm get artifacts -f FILE',
  })),
};

import { cisControls, type CisControl } from '../../config/data/cis-controls.ts';
import { row, table } from './table.ts';

/** Returns the page about the CIS Kubernetes Benchmark. */
export function cisPage(generated: string): string {
  return [
    generated,
    '# CIS Kubernetes Benchmark\n',
    'Results of clusters created by kubexm for the controls of CIS Kubernetes Benchmark 1.10: with `security.profile: default`, and with `cis`, which also enables settings that restrict workloads. All other fields of the cluster file have their defaults. The results are computed from the files that kubexm writes.',
    'See the [guide](../guide/security.md).\n',
    ...table(
      ['control', 'title', 'kubeadm: default', 'kubeadm: cis', 'binary: default', 'binary: cis', 'remark'],
      cisControls.map(controlRow),
    ),
    '',
  ].join('\n');
}

const controlRow = ({ id, title, status: { kubeadm, kubexm }, remark }: CisControl) =>
  row([id, title, kubeadm.default, kubeadm.cis, kubexm.default, kubexm.cis, remark]);

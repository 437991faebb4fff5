import { cisControls, type CisControl } from '../../config/data/cis-controls.ts';
import { row, table } from './table.ts';

/** The page about the CIS Kubernetes Benchmark. */
export function cisPage(generated: string): string {
  return [
    generated,
    '# CIS Kubernetes Benchmark\n',
    'How clusters created by kubexm pass the controls of the benchmark (numbers of version 1.10): with `security.profile: default`, and with `cis`, which also enables settings that limit workloads. The values are computed from the files that kubexm writes, for the default settings of the cluster file otherwise.',
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

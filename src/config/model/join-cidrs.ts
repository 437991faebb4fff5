import { toCidrs } from './cidr.ts';
import type { Spec } from '../schema/cluster.ts';

/** The networks between nodes and pods that kube-ovn uses: those of the file, or its own for each family of the pods. */
export const joinCidrs = ({ kubeOvn, kubePodsCIDR }: Spec['network']): readonly string[] =>
  kubeOvn.joinCIDR === undefined
    ? toCidrs(kubePodsCIDR).map(({ family }) => DEFAULT[family])
    : toCidrs(kubeOvn.joinCIDR).map(({ text }) => text);

const DEFAULT = { 4: '100.64.0.0/16', 6: 'fd00:100:64::/112' } as const;

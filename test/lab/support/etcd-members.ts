import type { Lab } from '../../../src/lab/up.ts';
import { sshText } from '../support.ts';
import { kubectlOn } from './verify-cluster.ts';

/** A member of etcd. */
export interface EtcdMember {
  readonly id: string;
  /** Empty until it has started. */
  readonly name: string;
  readonly learner: boolean;
}

/** The members as the first of these hosts knows them: an etcd host, or a master if kubeadm runs etcd. */
export async function etcdMembers(
  lab: Lab,
  { etcd = [], master = [] }: { readonly etcd?: readonly string[]; readonly master?: readonly string[] },
): Promise<readonly EtcdMember[]> {
  const [host] = etcd;
  const text = host === undefined ? await stackedList(lab, master[0] ?? '') : await managedList(lab, host);
  const { members }: { members: readonly ListedMember[] } = JSON.parse(text.replaceAll(/"ID":(\d+)/g, '"ID":"$1"'));
  return members.map(({ ID, name = '', isLearner = false }) => ({ id: ID, name, learner: isLearner }));
}

interface ListedMember {
  /** A text, because the numbers are too large for JSON.parse. */
  readonly ID: string;
  readonly name?: string;
  readonly isLearner?: boolean;
}

const managedList = (lab: Lab, host: string) => {
  const credentials = `--cacert ${SSL}/ca.pem --cert ${SSL}/admin-${host}.pem --key ${SSL}/admin-${host}-key.pem`;
  return sshText(lab, host, `etcdctl --endpoints https://127.0.0.1:2379 ${credentials} member list -w json`);
};

const SSL = '/etc/kubexm/etcd/ssl';

const stackedList = (lab: Lab, host: string) => {
  const credentials = `--cacert ${PKI}/ca.crt --cert ${PKI}/server.crt --key ${PKI}/server.key`;
  return kubectlOn(() => lab, host)(`-n kube-system exec etcd-${host} -- etcdctl ${credentials} member list -w json`);
};

const PKI = '/etc/kubernetes/pki/etcd';

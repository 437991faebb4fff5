import { minorOf } from '../../config/model/version.ts';

/** The form of kubeadm's configuration that a release reads. */
export type KubeadmApi = 'v1beta3' | 'v1beta4';

/** v1beta4 is there since 1.28, but only from 1.31 on its makers promise to keep it. */
export const kubeadmApi = (kubernetes: string): KubeadmApi => (minorOf(kubernetes) >= 31 ? 'v1beta4' : 'v1beta3');

/** What each document begins with. */
export const kind = (api: KubeadmApi, name: string) => ({ apiVersion: `kubeadm.k8s.io/${api}`, kind: name });

/** Flags of a component: a map in v1beta3, a list in v1beta4. */
export const args = (api: KubeadmApi, flags: Readonly<Record<string, string>>) => {
  const list = Object.entries(flags).map(([name, value]) => ({ name, value }));
  if (list.length === 0) return undefined;
  return api === 'v1beta4' ? list : { ...flags };
};

/** An object without what is undefined. */
export const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

import { minorOf } from '../../config/model/version.ts';

/** Version of kubeadm's configuration API. */
export type KubeadmApi = 'v1beta3' | 'v1beta4';

/** v1beta4 exists since Kubernetes 1.28 but is supported only since 1.31. */
export const kubeadmApi = (kubernetes: string): KubeadmApi => (minorOf(kubernetes) >= 31 ? 'v1beta4' : 'v1beta3');

/** apiVersion and kind of a document. */
export const typeMeta = (api: KubeadmApi, name: string) => ({ apiVersion: `kubeadm.k8s.io/${api}`, kind: name });

/** Flags of a component: a map in v1beta3, a list in v1beta4. */
export const extraArgs = (api: KubeadmApi, flags: Readonly<Record<string, string>>) => {
  const list = Object.entries(flags).map(([name, value]) => ({ name, value }));
  if (list.length === 0) return undefined;
  return api === 'v1beta4' ? list : { ...flags };
};

/** Removes undefined fields. */
export const withoutUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

import type { Host, Hosts } from '../common/host.ts';

/** The hosts that become nodes of Kubernetes. */
export const nodesAmong = ({ all }: Hosts): readonly Host[] =>
  all.filter(({ roles }) => roles.includes('master') || roles.includes('worker'));

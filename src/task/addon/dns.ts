import { chain, on } from '../../plan/fragment.ts';
import { applyCoreDns, applyCoreDnsConfig } from '../../step/addon/coredns.ts';
import { applyNodeLocalDns } from '../../step/addon/node-local-dns.ts';
import { firstMaster } from '../host-groups.ts';
import { defineTask } from '../task.ts';

const coreDns = { name: 'install-coredns', title: 'Install CoreDNS' };

/** Configures the CoreDNS that kubeadm installed. */
export const configureCoreDns = defineTask({
  ...coreDns,
  plan: ({ cluster, hosts }) => on(firstMaster(hosts), applyCoreDnsConfig(cluster, { spread: true })),
});

export const installCoreDns = defineTask({
  ...coreDns,
  plan: ({ cluster, assets, hosts }) =>
    chain(firstMaster(hosts), [applyCoreDns(cluster, assets.images), applyCoreDnsConfig(cluster)]),
});

export const installNodeLocalDns = defineTask({
  name: 'install-nodelocaldns',
  title: 'Install NodeLocal DNSCache',
  plan: ({ cluster, assets, hosts }) => on(firstMaster(hosts), applyNodeLocalDns(cluster, assets.images)),
});

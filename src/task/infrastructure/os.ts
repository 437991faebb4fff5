import { chain, empty, on, parallel } from '../../plan/fragment.ts';
import { etcHosts } from '../../step/os/etc-hosts.ts';
import { firewall } from '../../step/os/firewall.ts';
import { hostname, isHostnameUnchanged } from '../../step/os/hostname.ts';
import { loadModules } from '../../step/os/kernel-modules.ts';
import { kernelSettings } from '../../step/os/kernel-settings.ts';
import { withdrawPackages } from '../../step/os/local-packages.ts';
import { installPackages } from '../../step/os/packages.ts';
import { resolver } from '../../step/os/resolver.ts';
import { postInstall, preInstall } from '../../step/os/script.ts';
import { selinux } from '../../step/os/selinux.ts';
import { swap } from '../../step/os/swap.ts';
import { timeService } from '../../step/os/time.ts';
import { timezone, isTimezoneUnchanged } from '../../step/os/timezone.ts';
import { forgetOrigins } from '../../step/undo/forget-origins.ts';
import { undo } from '../../step/undo/undo.ts';
import { defineTask } from '../task.ts';

export const prepareOs = defineTask({
  name: 'prepare-os',
  title: 'Prepare the operating system',
  plan: ({ cluster, hosts }) => {
    const { system, extra } = cluster;
    return chain(hosts.all, [
      ...(system.preInstall.length > 0 ? [preInstall(cluster)] : []),
      ...(system.hostname === 'set' ? [hostname] : []),
      ...(system.etcHosts === 'write' ? [etcHosts(cluster)] : []),
      // Before packages: repositories are found by name.
      ...(extra.resolves.length > 0 ? [resolver(cluster)] : []),
      ...(system.selinux !== 'keep' ? [selinux(cluster)] : []),
      ...(system.swap !== 'keep' ? [swap(cluster)] : []),
      ...(system.packages === 'install' ? [installPackages(cluster)] : []),
      ...(system.timezone !== undefined ? [timezone(cluster)] : []),
      // Before kernel settings: some exist only once a module is loaded.
      ...(system.modules === 'load' ? [loadModules(cluster)] : []),
      ...(system.sysctl === 'set' ? [kernelSettings(cluster)] : []),
      // Last, when everything else is known to work.
      ...(system.firewall !== 'keep' ? [firewall(cluster)] : []),
    ]);
  },
});

/** The firewall and the time server list the hosts whose connections they accept. */
export const admitHosts = defineTask({
  name: 'admit-hosts',
  title: 'Accept connections of the new hosts',
  plan: ({ cluster, hosts }) => {
    const { time, firewall: mode } = cluster.system;
    const timeServer = time.type === 'in-cluster' ? hosts.all.filter(({ name }) => name === time.host) : [];
    return parallel(mode === 'rules' ? on(hosts.all, firewall(cluster)) : empty, on(timeServer, timeService(cluster)));
  },
});

/** Undoes every step, whatever the cluster file says now. */
export const restoreOs = defineTask({
  name: 'restore-os',
  title: 'Restore the operating system',
  plan: ({ cluster, hosts }) =>
    chain(hosts.all, [
      undo('os.firewall', 'Restore the firewall'),
      undo('os.sysctl', 'Restore the kernel settings'),
      undo('os.modules', 'Restore the kernel modules'),
      undo('os.timezone', 'Restore the time zone', { isUnchanged: isTimezoneUnchanged(cluster) }),
      undo('os.packages', 'Remove the installed packages'),
      undo('os.swap', 'Restore swap'),
      undo('os.selinux', 'Restore the SELinux mode'),
      undo('os.resolver', 'Restore the name servers'),
      undo('os.hosts', 'Restore /etc/hosts'),
      undo('os.hostname', 'Restore the hostname', { isUnchanged: isHostnameUnchanged }),
    ]),
});

export const runPostInstall = defineTask({
  name: 'run-post-install',
  title: 'Run the post-install scripts',
  plan: ({ cluster, hosts }) => (cluster.system.postInstall.length === 0 ? empty : on(hosts.all, postInstall(cluster))),
});

export const forgetCluster = defineTask({
  name: 'forget-cluster',
  title: 'Remove kubexm records from the hosts',
  plan: ({ hosts }) => chain(hosts.all, [withdrawPackages, forgetOrigins]),
});

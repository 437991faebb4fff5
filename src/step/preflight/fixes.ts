import type { Cluster } from '../../config/model/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import type { NeededCommand } from './commands.ts';

/** Installs packages with what the host has. */
export const install = ({ packageManager }: Facts, packages: readonly string[]): string => {
  const names = packages.join(' ');
  if (packageManager === 'apt') return `apt-get update && apt-get install -y ${names}`;
  return `${packageManager ?? 'dnf'} install -y ${names}`;
};

/** Installs what brings these programs. */
export const installCommands = (facts: Facts, commands: readonly NeededCommand[]): string =>
  install(facts, [...new Set(commands.map((each) => each.package))]);

/** Sets an argument of the kernel from the next boot on. */
export const kernelArgument = (facts: Facts, argument: string): string =>
  familyOf(facts) === 'debian'
    ? `mkdir -p /etc/default/grub.d && echo 'GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX ${argument}"' > /etc/default/grub.d/90-kubernetes.cfg && update-grub && reboot`
    : `grubby --update-kernel=ALL --args='${argument}' && reboot`;

/** Lets a port through whatever filters packets on the host. */
export function openPort(firewalls: readonly string[], protocol: string, port: number): string {
  if (firewalls.includes('firewalld'))
    return `firewall-cmd --permanent --add-port=${port}/${protocol} && firewall-cmd --reload`;
  if (firewalls.includes('ufw')) return `ufw allow ${port}/${protocol}`;
  if (firewalls.includes('iptables')) return `iptables -I INPUT -p ${protocol} --dport ${port} -j ACCEPT`;
  if (firewalls.includes('nftables')) return `nft list ruleset, then a rule there: ${protocol} dport ${port} accept`;
  return `Let ${protocol} ${port} pass between them: security groups, switches, routers.`;
}

/** Whether create cluster lets the ports of the roles through: other rules than those of firewalld and ufw it cannot amend. */
export function willOpen({ system }: Cluster, facts: Facts, firewall: string): boolean {
  switch (system.firewall) {
    case 'disable':
      return isService(facts, firewall);
    case 'rules':
      return firewall === 'firewalld' || firewall === 'ufw';
    case 'keep':
      return false;
  }
}

/** Rules that came by hand belong to no service that could be stopped. */
const isService = ({ services }: Facts, firewall: string): boolean =>
  firewall === 'ufw' || services[firewall] === 'active';

/** What a system is built like; an unknown one is taken by its packages. */
export const familyOf = ({ family, packageManager }: Facts): 'debian' | 'rhel' =>
  family === 'other' ? (packageManager === 'apt' ? 'debian' : 'rhel') : family;

/** "3.8 GiB" */
export const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

import type { Cluster } from '../../config/model/cluster.ts';
import type { Facts } from '../../runner/facts.ts';

/** The command that installs packages with the host's package manager. */
export const install = ({ packageManager }: Facts, packages: readonly string[]): string => {
  const names = packages.join(' ');
  if (packageManager === 'apt') return `apt-get update && apt-get install -y ${names}`;
  return `${packageManager ?? 'dnf'} install -y ${names}`;
};

/** The command that sets a kernel argument and reboots. */
export const kernelArgument = (facts: Facts, argument: string): string =>
  familyOf(facts) === 'debian'
    ? `mkdir -p /etc/default/grub.d && echo 'GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX ${argument}"' > /etc/default/grub.d/90-kubernetes.cfg && update-grub && reboot`
    : `grubby --update-kernel=ALL --args='${argument}' && reboot`;

/** The command that opens a port in the active firewall of the host. */
export function openPort(firewalls: readonly string[], protocol: string, port: number): string {
  if (firewalls.includes('firewalld'))
    return `firewall-cmd --permanent --add-port=${port}/${protocol} && firewall-cmd --reload`;
  if (firewalls.includes('ufw')) return `ufw allow ${port}/${protocol}`;
  if (firewalls.includes('iptables')) return `iptables -I INPUT -p ${protocol} --dport ${port} -j ACCEPT`;
  if (firewalls.includes('nftables'))
    return `Add a rule to the input chain shown by nft list ruleset: ${protocol} dport ${port} accept`;
  return `Allow ${protocol} ${port} between the hosts in security groups, switches and routers.`;
}

/** Whether create cluster opens the ports of the roles: it can add rules to firewalld and ufw only. */
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

/** Rules that were added by hand do not belong to a service that could be stopped. */
const isService = ({ services }: Facts, firewall: string): boolean =>
  firewall === 'ufw' || services[firewall] === 'active';

/** The family of the distribution; for an unknown one it is derived from the package manager. */
export const familyOf = ({ family, packageManager }: Facts): 'debian' | 'rhel' =>
  family === 'other' ? (packageManager === 'apt' ? 'debian' : 'rhel') : family;

/** "3.8 GiB" */
export const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

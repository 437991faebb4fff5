import { z } from 'zod';
import { ROLES } from '../../common/host.ts';
import { isTimeZone, timeZones } from '../value/time.ts';
import { choice, formatted, ipOrName, text } from './fields.ts';

const script = z.strictObject({
  name: text().describe('Name of the script in logs.'),
  bash: text().describe('Script text.'),
  roles: z
    .array(choice(ROLES))
    .default([])
    .describe('Run only on hosts with one of these roles; on all hosts if empty.'),
});

/** Operating system settings of each host. */
export const systemSchema = z.strictObject({
  ntpServers: z
    .array(ipOrName())
    .default([])
    .describe('NTP servers. If a host in the cluster is listed, it becomes the time server for the other hosts.'),
  timezone: formatted('a time zone such as Asia/Shanghai', isTimeZone, timeZones)
    .optional()
    .describe('Time zone of all hosts; unchanged if not set.'),
  rpms: z.array(text()).default([]).describe('Additional packages on hosts with dnf or yum.'),
  debs: z.array(text()).default([]).describe('Additional packages on hosts with apt.'),
  firewall: choice(['disable', 'rules', 'keep'])
    .default('disable')
    .describe('Firewall: disable it, open only the required ports (rules), or keep it unchanged.'),
  selinux: choice(['disable', 'permissive', 'keep']).default('permissive').describe('SELinux mode.'),
  swap: choice(['disable', 'keep']).default('disable').describe('Swap: disable it, or keep it unchanged.'),
  hostname: choice(['set', 'keep'])
    .default('set')
    .describe('Host names: set them to the names in this file, or keep them unchanged.'),
  etcHosts: choice(['write', 'keep'])
    .default('write')
    .describe(
      '/etc/hosts: write entries for the hosts, the endpoint, the registry and extra.hosts, or keep it unchanged.',
    ),
  packages: choice(['install', 'keep'])
    .default('install')
    .describe(
      'System packages: install the packages required by the roles and the packages in rpms and debs, or keep them unchanged.',
    ),
  modules: choice(['load', 'keep'])
    .default('load')
    .describe('Kernel modules: load the modules that Kubernetes requires, or keep them unchanged.'),
  sysctl: choice(['set', 'keep'])
    .default('set')
    .describe('Kernel parameters: set the parameters that Kubernetes requires, or keep them unchanged.'),
  preInstall: z.array(script).default([]).describe('Scripts to run before the installation.'),
  postInstall: z.array(script).default([]).describe('Scripts to run after the installation.'),
});

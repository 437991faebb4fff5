import { z } from 'zod';
import { ROLES } from '../../common/host.ts';
import { isTimeZone, timeZones } from '../value/time.ts';
import { choice, formatted, ipOrName, text } from './fields.ts';

const script = z.strictObject({
  name: text().describe('Name of the script, for logs.'),
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
    .describe('NTP servers. If a host of the cluster is listed, it becomes the time server of the other hosts.'),
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
    .describe('/etc/hosts: write hosts, endpoint, registry and extra.hosts, or keep it unchanged.'),
  packages: choice(['install', 'keep'])
    .default('install')
    .describe('System packages: install those that the roles need, rpms and debs; or keep them unchanged.'),
  modules: choice(['load', 'keep'])
    .default('load')
    .describe('Kernel modules: load those that Kubernetes needs, or keep them unchanged.'),
  sysctl: choice(['set', 'keep'])
    .default('set')
    .describe('Kernel parameters: set those that Kubernetes needs, or keep them unchanged.'),
  preInstall: z.array(script).default([]).describe('Scripts to run before the installation.'),
  postInstall: z.array(script).default([]).describe('Scripts to run after the installation.'),
});

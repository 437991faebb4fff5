import { z } from 'zod';
import { ROLES } from '../../common/host.ts';
import { isTimeZone, timeZones } from '../value/time-zone.ts';
import { choice, formatted, ipOrName, text } from './fields.ts';

const script = z.strictObject({
  name: text().describe('What it does, for the log.'),
  bash: text().describe('The script.'),
  roles: z.array(choice(ROLES)).default([]).describe('Only on hosts with one of these roles; on all if empty.'),
});

/** What is done to the operating system of each host. */
export const systemSchema = z.strictObject({
  ntpServers: z.array(ipOrName()).default([]).describe('Time servers. One that is the name of a host becomes the time server of the others.'),
  timezone: formatted('a time zone such as Asia/Shanghai', isTimeZone, timeZones).optional().describe('Time zone of all hosts; left alone if not given.'),
  rpms: z.array(text()).default([]).describe('More packages for hosts with dnf or yum.'),
  debs: z.array(text()).default([]).describe('More packages for hosts with apt.'),
  firewall: choice(['disable', 'rules', 'keep']).default('disable').describe('disable it, open exactly the needed ports with rules, or keep it as it is.'),
  selinux: choice(['disable', 'permissive', 'keep']).default('permissive').describe('SELinux mode.'),
  swap: choice(['disable', 'keep']).default('disable').describe('Swap.'),
  hostname: choice(['set', 'keep']).default('set').describe('set the names of the hosts to those of this file, or keep them.'),
  etcHosts: choice(['write', 'keep']).default('write').describe('write hosts, endpoint, registry and extra.hosts into /etc/hosts, or keep it as it is.'),
  packages: choice(['install', 'keep']).default('install').describe('install what the roles need, rpms and debs, or keep the packages that are there.'),
  modules: choice(['load', 'keep']).default('load').describe('load the kernel modules that Kubernetes needs, or keep those that are loaded.'),
  sysctl: choice(['set', 'keep']).default('set').describe('set what Kubernetes wants of the kernel, or keep its settings.'),
  preInstall: z.array(script).default([]).describe('Scripts run before anything is installed.'),
  postInstall: z.array(script).default([]).describe('Scripts run after the cluster is up.'),
});

import { sysctl } from '../common/sysctl.ts';
import { defineStep } from '../step.ts';

/** What Kubernetes wants of the kernel (OS9). */
export const kernelSettings = defineStep({
  name: 'os.sysctl',
  summary: 'Set what Kubernetes wants of the kernel',
  reversible: true,
  parts: () => [sysctl({ path: '/etc/sysctl.d/99-kubexm.conf', values: { 'net.ipv4.ip_forward': 1 } })],
});

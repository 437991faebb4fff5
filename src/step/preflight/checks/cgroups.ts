import { isNode } from '../../../common/host.ts';
import { minorOf } from '../../../config/model/version.ts';
import { defineCheck } from '../check.ts';
import { kernelArgument } from '../fixes.ts';

export const cgroups = defineCheck({
  id: 'PF18',
  title: 'Control groups',
  about:
    'The host uses cgroup v2. Since Kubernetes 1.35 the kubelet rejects v1 unless kubeletConfiguration.failCgroupV1 is false.',
  severities: ['error', 'warning', 'note'],
  each: ({ host, facts }, { cluster: { kubernetes } }) => {
    if (facts.cgroup === 'v2' || !isNode(host)) return [];
    const found = `cgroup ${facts.cgroup}`;
    const fix =
      facts.virtualization.type === 'container'
        ? 'Boot the machine that runs this container with cgroup v2.'
        : kernelArgument(facts, 'systemd.unified_cgroup_hierarchy=1');
    const minor = minorOf(kubernetes.version);
    if (minor >= 35 && kubernetes.kubeletConfiguration['failCgroupV1'] !== false)
      return [
        {
          severity: 'error',
          found,
          wanted: `cgroup v2 with Kubernetes ${kubernetes.version}, or kubeletConfiguration.failCgroupV1: false`,
          fix,
        },
      ];
    if (minor >= 31)
      return [
        {
          severity: minor >= 35 ? 'note' : 'warning',
          found,
          wanted: 'cgroup v2: v1 is in maintenance mode in Kubernetes',
          fix,
        },
      ];
    return [];
  },
});

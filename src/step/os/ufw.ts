import type { OpenPort } from '../../config/model/port-table.ts';
import type { OpenPorts } from '../../config/model/ports.ts';
import { sh, type Command } from '../../runner/command.ts';
import { UFW_CLUSTER_PROFILE, ufwPort, ufwProfiles } from '../../template/ufw.ts';
import { textsOf } from '../../util/json-fields.ts';
import { file } from '../common/file.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';
import { compound } from '../common/compound.ts';

/**
 * Opens the ports in ufw and accepts all traffic from Pods; for protocols without ports, accepts all traffic from
 * hosts.
 */
export function ufwPorts(open: OpenPorts, pods: readonly string[], hosts: readonly string[]): GenericStep {
  const isClosed = open.ports.some(({ inCluster }) => inCluster);
  const fromHosts = hosts.flatMap((host) => {
    if (open.protocols.length > 0) return [`allow from ${host}`];
    return isClosed ? [`allow from ${host} to any app ${UFW_CLUSTER_PROFILE}`] : [];
  });
  const rules = [
    'allow kubexm',
    ...pods.map((source) => `allow from ${source}`),
    ...fromHosts,
    ...pods.flatMap((network) => [`route allow from ${network}`, `route allow to ${network}`]),
  ];
  return compound({
    key: 'ufw:ports',
    summary: 'open the ports in ufw',
    formerly: ['ufw', 'open the ports in ufw'],
    parts: [file({ path: PROFILE, content: ufwProfiles(open.ports) }), hasRules(rules, open.ports)],
  });
}

const hasRules = (rules: readonly string[], ports: readonly OpenPort[]): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'ufw-rules:kubexm',
    summary: 'add ufw rules',
    async precheck(ctx) {
      const [has, isCurrent] = await Promise.all([added(ctx), profileIsCurrent(ctx, ports)]);
      return findingOf([
        ...rules.filter((rule) => !has.has(rule)).map((rule) => `missing rule "${rule}"`),
        ...(isCurrent ? [] : ['rules use the ports of an older profile']),
      ]);
    },
    async remember(ctx) {
      const has = await added(ctx);
      return { missing: rules.filter((rule) => !has.has(rule)) };
    },
    async run(ctx) {
      const has = await added(ctx);
      for (const rule of rules) if (!has.has(rule)) await ctx.runner.run(ufw(rule));
      await ctx.runner.run(sh`ufw app update kubexm >/dev/null`);
      if (rules.some(isClusterRule)) await ctx.runner.run(sh`ufw app update ${UFW_CLUSTER_PROFILE} >/dev/null`);
    },
    rollback: (ctx, before) => restoreUfwRules(ctx, 'kubexm', before),
  });

const PROFILE = '/etc/ufw/applications.d/kubexm';

/** The parts of `ufwPorts`, in order. */
export const UFW_PARTS = [`file:${PROFILE}`, 'ufw-rules:kubexm'] as const;

/** Deletes the rules that kubexm added. */
export const restoreUfwRules: Restore = async (ctx, _, before) => {
  const has = await added(ctx);
  // Rules for hosts that were added later are not in the record, but only kubexm uses the profile.
  const ours = new Set([...textsOf(before, 'missing'), ...[...has].filter(isClusterRule)]);
  for (const rule of ours) {
    if (has.has(rule))
      await ctx.runner.run(ufw(rule.startsWith('route') ? rule.replace('route', 'route delete') : `delete ${rule}`));
  }
};

const isClusterRule = (rule: string) => rule.endsWith(` app ${UFW_CLUSTER_PROFILE}`);

const ufw = (words: string): Command => ({ text: `ufw ${words}`, display: `ufw ${words}` });

const added = async ({ runner }: StepContext): Promise<ReadonlySet<string>> => {
  const { stdout } = await runner.query(sh`LC_ALL=C ufw show added 2>/dev/null`);
  return new Set([...stdout.matchAll(/^ufw (.+)$/gm)].map((match) => match[1] ?? ''));
};

/** Rules contain the ports that the profile had when they were added. */
const profileIsCurrent = async ({ runner }: StepContext, ports: readonly OpenPort[]) => {
  const rules = (await runner.read('/etc/ufw/user.rules')) ?? '';
  return ['kubexm', UFW_CLUSTER_PROFILE].every((name) => {
    const written = [...rules.matchAll(new RegExp(`^### tuple ### allow (\\w+) (\\S+) .* ${name} `, 'gm'))];
    const has = new Set(
      written.flatMap(([, protocol, list = '']) => list.split(',').map((one) => `${one}/${protocol}`)),
    );
    const own = ports.filter(({ inCluster }) => (inCluster ? UFW_CLUSTER_PROFILE : 'kubexm') === name);
    // Without rules for its profile, hosts of the cluster may use all ports.
    if (name === UFW_CLUSTER_PROFILE && has.size === 0) return true;
    return own.every((port) => has.has(ufwPort(port))) && has.size === own.length;
  });
};

import type { OpenPort } from '../../config/model/port-table.ts';
import type { OpenPorts } from '../../config/model/ports.ts';
import { sh, type Command } from '../../runner/command.ts';
import { ufwPort, ufwProfile } from '../../template/ufw.ts';
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
  const from = [...pods, ...(open.protocols.length > 0 ? hosts : [])];
  const rules = [
    'allow kubexm',
    ...from.map((source) => `allow from ${source}`),
    ...pods.flatMap((network) => [`route allow from ${network}`, `route allow to ${network}`]),
  ];
  return compound({
    key: 'ufw:ports',
    summary: 'open the ports in ufw',
    formerly: ['ufw', 'open the ports in ufw'],
    parts: [file({ path: PROFILE, content: ufwProfile(open.ports) }), hasRules(rules, open.ports)],
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
    },
    rollback: (ctx, before) => restoreUfwRules(ctx, 'kubexm', before),
  });

const PROFILE = '/etc/ufw/applications.d/kubexm';

/** The parts of `ufwPorts`, in order. */
export const UFW_PARTS = [`file:${PROFILE}`, 'ufw-rules:kubexm'] as const;

/** Deletes the rules that kubexm added. */
export const restoreUfwRules: Restore = async (ctx, _, before) => {
  const has = await added(ctx);
  for (const rule of textsOf(before, 'missing')) {
    if (has.has(rule))
      await ctx.runner.run(ufw(rule.startsWith('route') ? rule.replace('route', 'route delete') : `delete ${rule}`));
  }
};

const ufw = (words: string): Command => ({ text: `ufw ${words}`, display: `ufw ${words}` });

const added = async ({ runner }: StepContext): Promise<ReadonlySet<string>> => {
  const { stdout } = await runner.query(sh`LC_ALL=C ufw show added 2>/dev/null`);
  return new Set([...stdout.matchAll(/^ufw (.+)$/gm)].map((match) => match[1] ?? ''));
};

/** Rules contain the ports that the profile had when they were added. */
const profileIsCurrent = async ({ runner }: StepContext, ports: readonly OpenPort[]) => {
  const rules = (await runner.read('/etc/ufw/user.rules')) ?? '';
  const written = [...rules.matchAll(/^### tuple ### allow (\w+) (\S+) .* kubexm /gm)];
  const has = new Set(written.flatMap(([, protocol, list = '']) => list.split(',').map((one) => `${one}/${protocol}`)));
  return ports.every((port) => has.has(ufwPort(port))) && has.size === ports.length;
};

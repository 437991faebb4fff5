import type { OpenPort } from '../../../config/model/port-table.ts';
import { heldPorts } from '../../../config/model/ports.ts';
import { defineCheck, belongsToCluster, type HostReport } from '../check.ts';
import type { PortHolder } from '../probe/probe.ts';

export const ports = defineCheck({
  id: 'PF8',
  title: 'Ports',
  about: 'The ports of the host’s roles can be listened on; that is tried. What holds one is named.',
  severities: ['error'],
  each: (report, scene) => {
    // The cluster's own programs hold them by now.
    if (belongsToCluster(report, scene)) return [];
    return heldPorts(scene.cluster, report.host).flatMap((port) => judgePort(report, port));
  },
});

function judgePort({ facts, probe }: HostReport, { protocol, port, for: by }: OpenPort) {
  const same = (each: { readonly protocol: string; readonly port: number }) =>
    each.protocol === protocol && each.port === port;
  const tried = probe.ports.find(same);
  // Where nothing could be tried, what listens is known all the same.
  const listens = facts.listening.find(same);
  if (tried?.state === 'free' || (!tried && !listens)) return [];
  const name = `port ${port}/${protocol}`;
  const judgement = { severity: 'error' as const, wanted: `free for ${by}` };
  if (tried?.state === 'refused')
    return [
      { ...judgement, found: `${name} cannot be listened on: ${tried.reason}`, fix: `ss -lnp 'sport = :${port}'` },
    ];
  const holder = holderText(tried?.holder) ?? listens?.process ?? 'the kernel';
  return [{ ...judgement, found: `${name} is held by ${holder}`, fix: release(tried?.holder, port) }];
}

const holderText = (holder: PortHolder | undefined) =>
  holder && `${holder.process} (pid ${holder.pid}${holder.unit ? `, ${holder.unit}` : ''})`;

function release(holder: PortHolder | undefined, port: number): string {
  if (holder?.unit) return `systemctl disable --now ${holder.unit}`;
  return holder ? `kill ${holder.pid}` : `ss -lnp 'sport = :${port}'; ip -d link show type vxlan`;
}

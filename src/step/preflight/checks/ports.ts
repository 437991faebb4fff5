import type { OpenPort } from '../../../config/model/port-table.ts';
import { heldPorts } from '../../../config/model/ports.ts';
import { belongsToCluster, defineCheck, type HostReport } from '../check.ts';
import type { PortHolder } from '../probe/probe.ts';

export const ports = defineCheck({
  id: 'PF8',
  title: 'Ports',
  about:
    'The ports required by the roles of the host are free, as tested with temporary listeners. Findings name the process that uses a port.',
  severities: ['error'],
  each: (report, input) => {
    // The components of the cluster hold the ports already.
    if (belongsToCluster(report, input)) return [];
    return heldPorts(input.cluster, report.host).flatMap((port) => checkPort(report, port));
  },
});

function checkPort({ facts, probe }: HostReport, { protocol, port, for: by }: OpenPort) {
  const same = (each: { readonly protocol: string; readonly port: number }) =>
    each.protocol === protocol && each.port === port;
  const tried = probe.ports.find(same);
  // If the listener could not be started, the facts still show which ports are in use.
  const listens = facts.listening.find(same);
  if (tried?.state === 'free' || (!tried && !listens)) return [];
  const name = `port ${port}/${protocol}`;
  const finding = { severity: 'error' as const, wanted: `free for ${by}` };
  if (tried?.state === 'refused')
    return [{ ...finding, found: `cannot listen on ${name}: ${tried.reason}`, fix: `ss -lnp 'sport = :${port}'` }];
  const holder = holderText(tried?.holder) ?? listens?.process ?? 'the kernel';
  return [{ ...finding, found: `${name} is in use by ${holder}`, fix: release(tried?.holder, port) }];
}

const holderText = (holder: PortHolder | undefined) =>
  holder && `${holder.process} (pid ${holder.pid}${holder.unit ? `, ${holder.unit}` : ''})`;

function release(holder: PortHolder | undefined, port: number): string {
  if (holder?.unit) return `systemctl disable --now ${holder.unit}`;
  return holder ? `kill ${holder.pid}` : `ss -lnp 'sport = :${port}'; ip -d link show type vxlan`;
}

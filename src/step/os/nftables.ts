import type { OpenPorts } from '../../config/model/ports.ts';
import { sh } from '../../runner/command.ts';
import { NFTABLES_TABLE, nftablesConf } from '../../template/nftables.ts';
import { command } from '../common/command.ts';
import { file } from '../common/file.ts';
import { runningService } from '../common/running-service.ts';
import type { Guard } from '../common/guarded.ts';
import type { GenericStep } from '../contract/part.ts';
import { compound } from '../common/compound.ts';

/** A separate nftables table, and a unit that loads it at boot. */
export const nftablesPorts = (open: OpenPorts, trusted: readonly string[], hosts: readonly string[]): GenericStep =>
  compound({
    key: 'nftables:ports',
    summary: 'open only the required ports with nftables',
    formerly: ['nftables', 'let in only what the host needs, with nftables'],
    parts: [
      file({ path: CONF, content: nftablesConf({ ...open, trusted, hosts }) }),
      file({ path: `/etc/systemd/system/${UNIT}`, content: UNIT_TEXT }),
      runningService({ unit: UNIT, restartIfNewer: [CONF] }),
      // The unit stays active even if someone flushed the rules.
      command({
        key: 'command:nftables-table',
        summary: 'load the nftables table',
        check: sh`nft list table inet ${NFTABLES_TABLE} >/dev/null 2>&1`,
        run: sh`systemctl restart ${UNIT}`,
        because: 'nftables table is missing',
      }),
    ],
  });

const CONF = '/etc/kubexm/firewall.nft';
const UNIT = 'kubexm-firewall.service';

/** The parts of `nftablesPorts` that can be restored, in order. */
export const NFTABLES_PARTS = [`file:${CONF}`, `file:/etc/systemd/system/${UNIT}`, `service:${UNIT}`] as const;

const UNIT_TEXT = `# Written by kubexm.
[Unit]
Description=Ports of the Kubernetes cluster
Wants=network-pre.target
Before=network-pre.target
After=nftables.service
DefaultDependencies=no

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft -f ${CONF}
ExecStop=-/usr/sbin/nft delete table inet ${NFTABLES_TABLE}

[Install]
WantedBy=sysinit.target
`;

/** Restores the previous rules, or removes ours. */
export const NFTABLES_GUARD: Guard = {
  name: 'firewall',
  paths: [CONF, `/etc/systemd/system/${UNIT}`, `/etc/systemd/system/sysinit.target.wants/${UNIT}`],
  apply: sh`systemctl daemon-reload
if [ -e ${CONF} ]; then systemctl restart ${UNIT}; else nft delete table inet ${NFTABLES_TABLE} 2>/dev/null; systemctl stop ${UNIT} 2>/dev/null; fi; true`,
};

import type { Cluster } from '../../config/cluster.ts';
import { sh } from '../../runner/command.ts';
import { file } from '../common/file.ts';
import { symlink } from '../common/symlink.ts';
import { defineStep } from '../step.ts';
import { when } from '../when.ts';

/** The host tells the time of this zone (OS8). */
export const timezone = ({ system: { timezone: zone } }: Cluster) =>
  defineStep({
    name: 'os.timezone',
    summary: `Set the time zone${zone === undefined ? '' : ` to ${zone}`}`,
    reversible: true,
    parts: () => (zone === undefined ? [] : zoneParts(zone)),
    everParts: () => zoneParts(zone ?? 'UTC'),
  });

const zoneParts = (zone: string) => [
  when(
    sh`[ "$(readlink /etc/localtime)" != ${`/usr/share/zoneinfo/${zone}`} ]`,
    symlink({ path: '/etc/localtime', target: `../usr/share/zoneinfo/${zone}` }),
  ),
  // Debian names it once more.
  when(sh`[ -e /etc/timezone ]`, file({ path: '/etc/timezone', content: `${zone}\n` })),
];

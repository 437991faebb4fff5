import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { file } from '../common/file.ts';
import { symlink } from '../common/symlink.ts';
import { defineStep, type GenericStep } from '../contract/step.ts';
import { when } from '../common/when.ts';
import { whileOurs } from '../common/while-ours.ts';

/** The host tells the time of this zone (OS8). */
export const timezone = ({ system: { timezone: zone } }: Cluster) =>
  defineStep({
    name: 'os.timezone',
    summary: `Set the time zone${zone === undefined ? '' : ` to ${zone}`}`,
    reversible: true,
    parts: () => (zone === undefined ? [] : zoneParts(zone)),
    everParts: () => (zone === undefined ? everyZone('UTC') : zoneParts(zone)),
  });

/** Undone only where the host still has this zone. */
function zoneParts(zone: string): readonly GenericStep[] {
  const [link, name] = everyZone(zone);
  return [
    whileOurs(sh`[ "$(readlink /etc/localtime)" = ${`../usr/share/zoneinfo/${zone}`} ]`, link),
    whileOurs(sh`[ "$(cat /etc/timezone)" = ${zone} ]`, name),
  ];
}

const everyZone = (zone: string): readonly [GenericStep, GenericStep] => [
  when(
    sh`[ "$(readlink /etc/localtime)" != ${`/usr/share/zoneinfo/${zone}`} ]`,
    symlink({ path: '/etc/localtime', target: `../usr/share/zoneinfo/${zone}` }),
  ),
  // Debian names it once more.
  when(sh`[ -e /etc/timezone ]`, file({ path: '/etc/timezone', content: `${zone}\n` })),
];

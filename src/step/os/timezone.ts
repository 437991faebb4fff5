import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { file } from '../common/file.ts';
import { symlink } from '../common/symlink.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';
import { when } from '../common/when.ts';
import { undoIfUnchanged } from '../common/undo-if-unchanged.ts';

/** Sets the time zone of the host. */
export const timezone = ({ system: { timezone: zone } }: Cluster) =>
  defineStep({
    name: 'os.timezone',
    summary: `Set the time zone${zone === undefined ? '' : ` to ${zone}`}`,
    reversible: true,
    parts: () => (zone === undefined ? [] : zoneParts(zone)),
  });

const zoneParts = (zone: string): readonly GenericStep[] => [
  undoIfUnchanged(
    isLinked(zone),
    when(
      sh`[ "$(readlink /etc/localtime)" != ${`/usr/share/zoneinfo/${zone}`} ]`,
      symlink({ path: '/etc/localtime', target: `../usr/share/zoneinfo/${zone}` }),
    ),
  ),
  // Debian also stores the zone here.
  undoIfUnchanged(isNamed(zone), when(sh`[ -e /etc/timezone ]`, file({ path: '/etc/timezone', content: `${zone}\n` }))),
];

/** Whether the host still has the time zone of the cluster file. */
export const isTimezoneUnchanged =
  ({ system: { timezone: zone } }: Cluster) =>
  async ({ runner }: StepContext, key: string): Promise<boolean> =>
    zone === undefined || runner.test(key.startsWith('symlink:') ? isLinked(zone) : isNamed(zone));

const isLinked = (zone: string) => sh`[ "$(readlink /etc/localtime)" = ${`../usr/share/zoneinfo/${zone}`} ]`;
const isNamed = (zone: string) => sh`[ "$(cat /etc/timezone)" = ${zone} ]`;

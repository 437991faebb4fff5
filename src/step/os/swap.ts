import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { textsOf } from '../../util/json-fields.ts';
import { unescapeOctal } from '../../util/text.ts';
import { stoppedService } from '../common/stopped-service.ts';
import { findingOf } from '../contract/finding.ts';
import { editedFile, restoreEdited, type Edited } from '../common/edited-file.ts';
import { withoutSwap, withSwap } from '../common/text/fstab.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';

/** Disables swap, now and at boot. */
export const swap = ({ system: { swap: mode } }: Cluster) =>
  defineStep({
    name: 'os.swap',
    summary: 'Disable swap',
    reversible: true,
    parts: () => (mode === 'keep' ? [] : parts),
  });

const fstabEdit: Edited = { path: '/etc/fstab', copy: 'swap in /etc/fstab', undo: withSwap };

const fstab = editedFile({
  ...fstabEdit,
  key: 'swap-entries:/etc/fstab',
  summary: 'comment out swap entries in /etc/fstab',
  formerly: ['swap in /etc/fstab', 'switch the lines of swap in /etc/fstab off'],
  edit: withoutSwap,
  because: 'has swap entries',
  onlyIfExists: true,
});

/** Restores the swap entries of /etc/fstab. */
export const restoreSwapEntries: Restore = (ctx, _, before) => restoreEdited(ctx, fstabEdit, before);

/**
 * Ensures that no swap is active and no unit activates it at boot: zram and partitions may have units without an fstab
 * entry.
 */
const noSwap: GenericStep = Object.freeze<GenericStep>({
  key: 'swap-devices:all',
  summary: 'turn off all swap devices',
  formerly: ['stop all swapping'],
  async precheck(ctx) {
    const { active, units } = await inspect(ctx);
    return findingOf([
      ...active.map(({ device }) => `${device} is active`),
      ...units.filter(({ on }) => on).map(({ unit }) => `${unit} starts at boot`),
    ]);
  },
  async remember(ctx) {
    const { active, units } = await inspect(ctx);
    return {
      active: active.map(({ device, priority }) => `${priority} ${device}`),
      units: units.filter(({ on }) => on).map(({ unit, state }) => `${state} ${unit}`),
    };
  },
  async run(ctx) {
    const { runner } = ctx;
    const { active } = await inspect(ctx);
    for (const { device } of active) await runner.run(sh`swapoff -- ${device}`);
    // Makes systemd drop the units generated from fstab.
    await runner.run(sh`systemctl daemon-reload`);
    for (const { unit, on } of (await inspect(ctx)).units) {
      // A unit file in /etc cannot be masked.
      if (on)
        await runner.run(sh`systemctl mask --quiet -- ${unit} 2>/dev/null || systemctl disable --quiet -- ${unit}`);
    }
  },
  rollback: (ctx, before) => restoreSwapDevices(ctx, 'all', before),
});

/** Turns swap on again on every device that is still a swap device. */
export const restoreSwapDevices: Restore = async (ctx, _, before) => {
  const { runner } = ctx;
  for (const [state, unit] of textsOf(before, 'units').map(firstWord)) {
    await runner.run(sh`systemctl unmask --quiet -- ${unit}`);
    if (state === 'enabled') await runner.run(sh`systemctl enable --quiet -- ${unit}`);
  }
  await runner.run(sh`systemctl daemon-reload`);
  for (const [priority, device] of textsOf(before, 'active').map(firstWord)) {
    const { stdout } = await runner.run(swapOn(device, Number(priority)));
    if (stdout.trim() === GONE) ctx.say(`${device} stays off, because it is no longer a swap device`);
  }
};

/** Starts the swap unit if swapon fails: the unit of a zram device creates it. */
function swapOn(device: string, priority: number): Command {
  const level = { text: priority < 0 ? '' : `-p ${priority}`, display: '' };
  const { text } = sh`! grep -qF -- ${`${device} `} /proc/swaps || exit 0
if [ -e ${device} ] && swapon ${level} -- ${device}; then exit 0; fi
unit=$(systemd-escape -p --suffix=swap -- ${device})
if systemctl cat -- "$unit" >/dev/null 2>&1 && systemctl start -- "$unit"; then exit 0; fi
[ ! -e ${device} ] || [ "$(blkid -p -o value -s TYPE -- ${device})" != swap ] || exit 1
echo ${GONE}`;
  return { text, display: `swapon ${device}` };
}

const GONE = 'gone';

const parts: readonly GenericStep[] = [
  stoppedService({ unit: 'zramswap.service' }),
  stoppedService({ unit: 'dphys-swapfile.service' }),
  fstab,
  noSwap,
];

async function inspect({ runner }: StepContext) {
  const [swaps = '', units] = await Promise.all([runner.read('/proc/swaps'), runner.query(SWAP_UNITS)]);
  return {
    active: swaps
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => line.split(/\s+/))
      .map(([device = '', , , , priority = '']) => ({ device: unescapeOctal(device), priority })),
    units: units.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.trim().split(/\s+/))
      .map(([unit = '', state = '']) => ({ unit, state, on: !OFF.has(state) })),
  };
}

// Listing unit files makes systemd read all of them, so it is skipped if there is no swap unit.
const SWAP_UNITS = sh`for unit in /etc/systemd/system/*.swap /run/systemd/*/*.swap /usr/lib/systemd/system/*.swap; do
  [ ! -e "$unit" ] || exec systemctl list-unit-files --type=swap --no-legend --no-pager --full
done`;

const OFF: ReadonlySet<string> = new Set(['masked', 'disabled']);

const firstWord = (line: string): readonly [string, string] => {
  const at = line.indexOf(' ');
  return [line.slice(0, at), line.slice(at + 1)];
};

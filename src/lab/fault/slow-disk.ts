import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

/** How slow the disk is. */
export interface SlowDiskOptions {
  /** Writes that reach the disk in a second; each synced write of a file system is one or more of them. */
  readonly writes?: number;
}

/** Lets the writes of a machine wait for the disk. What is only kept in memory is as fast as ever. */
export const slowDisk = defineFault<SlowDiskOptions>({
  name: 'slow-disk',
  summary: 'Let the disk of the machine do few writes a second',
  look: `f=/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device
sed -n '1s/.* \\([0-9]*\\)$/slow-disk \\1 writes\\/s/p' "$f"
sed -n 's/.*wiops=\\([0-9][0-9]*\\).*/slow-disk \\1 writes\\/s/p' /sys/fs/cgroup/io.max | head -n 1`,
  undo: throttle('0', 'max'),
  async apply(machine, { writes = 20 } = {}) {
    await requireRunning(machine);
    await scriptOn(machine, throttle(`${writes}`, `${writes}`));
  },
});

/** For every disk there is, since the machine cannot tell which one it is on; one that knows no limit is passed over. */
function throttle(v1: string, v2: string): string {
  return `for disk in /sys/block/*/dev; do
  if [ -e /sys/fs/cgroup/io.max ]; then echo "$(cat "$disk") wiops=${v2}" > /sys/fs/cgroup/io.max
  else echo "$(cat "$disk") ${v1}" > /sys/fs/cgroup/blkio/blkio.throttle.write_iops_device; fi
done 2>/dev/null || true
`;
}

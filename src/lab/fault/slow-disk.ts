import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

export interface SlowDiskOptions {
  /** Disk writes per second; one fsync causes one or more writes. */
  readonly writes?: number;
}

/** Throttles disk writes of a machine. Reads and writes served by the page cache are not affected. */
export const slowDisk = defineFault<SlowDiskOptions>({
  name: 'slow-disk',
  probe: `f=/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device
sed -n '1s/.* \\([0-9]*\\)$/slow-disk \\1 writes\\/s/p' "$f"
sed -n 's/.*wiops=\\([0-9][0-9]*\\).*/slow-disk \\1 writes\\/s/p' /sys/fs/cgroup/io.max | head -n 1`,
  undo: throttle('0', 'max'),
  async apply(machine, { writes = 20 } = {}) {
    await requireRunning(machine);
    await scriptOn(machine, throttle(`${writes}`, `${writes}`));
  },
});

/** Applies to every disk, because the machine cannot tell which disk it is on. Ignores disks without throttling support. */
function throttle(v1: string, v2: string): string {
  return `for disk in /sys/block/*/dev; do
  if [ -e /sys/fs/cgroup/io.max ]; then echo "$(cat "$disk") wiops=${v2}" > /sys/fs/cgroup/io.max
  else echo "$(cat "$disk") ${v1}" > /sys/fs/cgroup/blkio/blkio.throttle.write_iops_device; fi
done 2>/dev/null || true
`;
}

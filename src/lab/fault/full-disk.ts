import { quote } from '../../connector/quote.ts';
import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

/** Which folder is full. */
export interface FullDiskOptions {
  readonly directory?: string;
}

/** Lets a folder of a machine be full. What is in it can be read and is there again afterwards; changes are lost. */
export const fullDisk = defineFault<FullDiskOptions>({
  name: 'full-disk',
  summary: 'Let a folder of the machine be full, to its last byte',
  look: `sed -n 's/^kubexm-full-disk \\([^ ]*\\) .*/full-disk \\1/p' /proc/mounts`,
  undo: `sed -n 's/^kubexm-full-disk \\([^ ]*\\) .*/\\1/p' /proc/mounts | while read -r at; do umount -l "$at"; done\n`,
  async apply(machine, { directory = '/var/tmp' } = {}) {
    await requireRunning(machine);
    await scriptOn(machine, fill(directory));
  },
});

// A small file system in memory over the folder: the disk of the computer underneath is never filled.
const fill = (directory: string) => `at=${quote(directory)}
mkdir -p "$at"
! grep -q "^kubexm-full-disk $at " /proc/mounts || exit 0
used=$(du -sm --apparent-size "$at" | cut -f1)
[ "$used" -le 256 ] || { echo "$at holds $used MB: choose a folder of at most 256 MB" >&2; exit 1; }
copy=$(mktemp -d /run/kubexm-full-disk.XXXXXX)
mount -t tmpfs -o "size=$((used * 2 + 4))m" kubexm-full-disk "$copy"
chmod --reference="$at" "$copy"; chown --reference="$at" "$copy"
cp -a "$at/." "$copy/"
mount --bind "$copy" "$at"
umount -l "$copy"; rmdir "$copy"
cat /dev/zero >"$at/.kubexm-full-disk" 2>/dev/null || true
`;

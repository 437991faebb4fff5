import { quote } from '../../connector/quote.ts';
import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';

export interface FullDiskOptions {
  readonly directory?: string;
}

/** Fills a directory of a machine. Existing files stay readable; changes made while it is full are lost on clear. */
export const fullDisk = defineFault<FullDiskOptions>({
  name: 'full-disk',
  probe: `sed -n 's/^kubexm-full-disk \\([^ ]*\\) .*/full-disk \\1/p' /proc/mounts`,
  undo: `sed -n 's/^kubexm-full-disk \\([^ ]*\\) .*/\\1/p' /proc/mounts | while read -r at; do umount -l "$at"; done\n`,
  async apply(machine, { directory = '/var/tmp' } = {}) {
    await requireRunning(machine);
    await scriptOn(machine, fill(directory));
  },
});

// Mounts a small tmpfs over the directory, so the disk of this computer is never filled.
const fill = (directory: string) => `at=${quote(directory)}
mkdir -p "$at"
! grep -q "^kubexm-full-disk $at " /proc/mounts || exit 0
used=$(du -sm --apparent-size "$at" | cut -f1)
[ "$used" -le 256 ] || { echo "$at holds $used MB; the limit is 256 MB: choose a smaller directory" >&2; exit 1; }
copy=$(mktemp -d /run/kubexm-full-disk.XXXXXX)
mount -t tmpfs -o "size=$((used * 2 + 4))m" kubexm-full-disk "$copy"
chmod --reference="$at" "$copy"; chown --reference="$at" "$copy"
cp -a "$at/." "$copy/"
mount --bind "$copy" "$at"
umount -l "$copy"; rmdir "$copy"
cat /dev/zero >"$at/.kubexm-full-disk" 2>/dev/null || true
`;

/**
 * The first process of a machine: makes the container look like a separate computer, then executes systemd.
 * Part of the image recipe: any change of this text, comments included, rebuilds the machine image.
 */
export const INIT = String.raw`#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p /run/kubexm-lab
first=; [ -e /var/lib/kubexm-lab/machine ] || first=yes

# podman mounts its own over these files, and then nothing can rename over them. Names are asked for at the bridge,
# because the resolvers of the computer underneath may be at addresses that a machine must not reach.
resolver=$(sed -n '/^nameserver/ {p;q}' /etc/resolv.conf)
umount /etc/hostname /etc/hosts /etc/resolv.conf
if [ -n "$first" ]; then
  hostname >/etc/hostname
  printf '127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n' >/etc/hosts
  printf '%s\t%s\n' "$(hostname -I | cut -d' ' -f1)" "$(hostname)" >>/etc/hosts
  echo "$resolver" >/etc/resolv.conf
fi

# What the kernel tells about the computer, told as a computer of its own would.
over() { cat >"/run/kubexm-lab/$1" && mount --bind -o ro "/run/kubexm-lab/$1" "$2"; }
cat /proc/sys/kernel/random/uuid | over boot_id /proc/sys/kernel/random/boot_id
printf 'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n' | over swaps /proc/swaps
if [ -n "$first" ]; then
  mkdir -p /var/lib/kubexm-lab
  cat /proc/sys/kernel/random/uuid >/var/lib/kubexm-lab/product_uuid
fi
[ ! -e /sys/class/dmi/id/product_uuid ] || over product_uuid /sys/class/dmi/id/product_uuid </var/lib/kubexm-lab/product_uuid

# The disks of the computer underneath are not this machine's to see. Loop devices stay: mount -o loop wants them.
find /dev -type b ! -name 'loop*' -delete
while read -r name major minor; do
  mknod -m 660 "/dev/$name" b "$major" "$minor"
done </etc/kubexm-lab/disks

if [ -n "$first" ]; then
  # Not ssh-keygen -A: the RSA key alone takes longer than the boot.
  for type in ed25519 ecdsa; do
    ssh-keygen -q -t "$type" -N '' -C "root@$(hostname)" -f "/etc/ssh/ssh_host_$type"_key </dev/null
  done
  sh /etc/kubexm-lab/setup
  touch /var/lib/kubexm-lab/machine
fi
[ ! -e /etc/kubexm-lab/firewall ] || nft -f /etc/kubexm-lab/firewall
umount /etc/kubexm-lab
mount --make-rshared /

# Without this capability nothing that is started here can set the clock of the computer underneath.
exec setpriv --bounding-set=-sys_time --inh-caps=-sys_time /sbin/init
`;

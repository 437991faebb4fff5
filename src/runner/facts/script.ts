import { SERVICES } from './services.ts';

/** Prints facts about a host in sections. The section of a missing program is empty. */
export const FACTS_SCRIPT = `exec 2>/dev/null
at() { printf '\\n== %s\\n' "$1"; }
at hostname; hostname || cat /proc/sys/kernel/hostname
at os-release; cat /etc/os-release || cat /usr/lib/os-release || cat /etc/redhat-release
at arch; uname -m
at kernel; uname -r
at cpus; nproc || grep -c ^processor /proc/cpuinfo
at meminfo; cat /proc/meminfo
at mounts; cat /proc/self/mounts
at space; timeout 5 df -P -a -B1 -l || timeout 5 df -P -k -l
at inodes; timeout 5 df -P -a -i -l
at addresses; ip -o -4 addr show
at addresses-6; ip -o -6 addr show || cat /proc/net/if_inet6
at interfaces; for i in /sys/class/net/*; do [ -e "$i/mtu" ] && echo "\${i##*/} $(cat "$i/mtu") $(cat "$i/address")"; done
at routes; ip -4 route show || cat /proc/net/route
at routes-6; ip -6 route show
at init; cat /proc/1/comm
at virtualization; systemd-detect-virt --container || systemd-detect-virt --vm || { [ -e /.dockerenv ] && echo docker; } || { [ -e /run/.containerenv ] && echo podman; } || echo none
at machine-id; cat /etc/machine-id
at product-uuid; cat /sys/class/dmi/id/product_uuid
at boot-id; cat /proc/sys/kernel/random/boot_id
at programs; for p in apt-get dnf yum; do command -v $p; done
at listening
if command -v ss >/dev/null; then ss -H -lntup || ss -lntup
else
  for f in tcp tcp6 udp udp6; do sed "s/^/$f /" /proc/net/$f; done
  at processes
  for s in /proc/[0-9]*/fd/*; do
    l=$(readlink "$s"); case $l in socket:*) p=\${s%/fd/*}; echo "$l $(cat "$p/comm")" ;; esac
  done
fi
at services; systemctl show -p Id -p LoadState -p ActiveState ${SERVICES.map((name) => `${name}.service`).join(' ')}
at clock; date +%s.%N
at end
exit 0
`;

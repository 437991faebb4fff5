import { requireRunning, scriptOn } from '../machine/machine.ts';
import { defineFault } from './fault.ts';
import { clearNetem, probeNetem, tryNetem } from './netem.ts';
import { dropTable, probeTable, setTable } from './nft.ts';

export interface DelayOptions {
  readonly milliseconds?: number;
}

const UNIT = 'kubexm-fault-delay.service';
const PROXY_PORT = 22_022;

/** Delays all packets from a machine; without netem in the kernel, only SSH connections. */
export const delay = defineFault<DelayOptions>({
  name: 'delay',
  probe: `${probeTable('kubexm_fault_delay')}; ${probeNetem('delay')}`,
  undo: `${dropTable('kubexm_fault_delay')}${clearNetem('delay')}systemctl stop ${UNIT} 2>/dev/null || true\n`,
  async apply(machine, { milliseconds = 200 } = {}) {
    await requireRunning(machine);
    if (await tryNetem(machine, 'delay', `${milliseconds}ms`)) return;
    await scriptOn(machine, startProxy(machine.port, milliseconds));
    await setTable(
      machine,
      'kubexm_fault_delay',
      `chain prerouting {
         type nat hook prerouting priority -100;
         iif != lo tcp dport ${machine.port} redirect to :${PROXY_PORT} comment "delay ${milliseconds}ms";
       }`,
    );
  },
});

const startProxy = (port: number, milliseconds: number) => `systemctl stop ${UNIT} 2>/dev/null || true
cat >/run/kubexm-fault-delay.pl <<'PERL'
${PROXY}PERL
systemd-run --collect --unit ${UNIT} --property Type=notify --property NotifyAccess=all \\
  perl /run/kubexm-fault-delay.pl ${PROXY_PORT} ${port} ${milliseconds}
`;

// A TCP proxy that queues data for the delay before forwarding it. It reads /proc/uptime because minimal Perl has no
// Time::HiRes.
const PROXY = String.raw`use strict; use Socket; use IO::Handle;
my ($listen, $target, $late) = @ARGV; $late /= 1000; $SIG{PIPE} = 'IGNORE';
sub now { open my $f, '<', '/proc/uptime' or die; (split ' ', <$f>)[0] }
socket my $server, PF_INET, SOCK_STREAM, 0 or die; setsockopt $server, SOL_SOCKET, SO_REUSEADDR, 1;
bind $server, sockaddr_in($listen, INADDR_ANY) or die "bind: $!"; listen $server, 128;
system 'systemd-notify', '--ready';
my (%peer, %queue, %handle);
while (1) {
  my $read = ''; vec($read, fileno $_, 1) = 1 for $server, values %handle;
  select $read, undef, undef, 0.01;
  if (vec $read, fileno $server, 1) {
    accept my $in, $server or next;
    socket my $out, PF_INET, SOCK_STREAM, 0;
    if (connect $out, sockaddr_in($target, INADDR_LOOPBACK)) {
      for ([$in, $out], [$out, $in]) { my ($a, $b) = @$_; $handle{fileno $a} = $a; $peer{fileno $a} = $b; $queue{fileno $a} = [] }
    }
  }
  for my $n (keys %handle) {
    next unless vec $read, $n, 1;
    my $got = sysread $handle{$n}, my $data, 65536;
    push @{$queue{$n}}, [now() + $late, $got ? $data : undef];
    delete $handle{$n} unless $got;
  }
  my $now = now();
  for my $n (keys %queue) {
    while (@{$queue{$n}} and $queue{$n}[0][0] <= $now) {
      my $data = (shift @{$queue{$n}})->[1];
      if (defined $data) { my $sent = 0; while ($sent < length $data) { $sent += syswrite($peer{$n}, $data, length($data) - $sent, $sent) || last } }
      else { shutdown $peer{$n}, 1; delete $queue{$n}; delete $peer{$n}; last }
    }
  }
}
`;

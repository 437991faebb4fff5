import { sh } from '../../../runner/command.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { heldPorts } from '../../../config/model/ports.ts';

/**
 * Starts a temporary listener on the ports of the host's roles, for the checks of ports (PF8) and connectivity (PF12).
 * Prints the state of each port and the process that holds it. Python is the fallback for hosts without perl.
 */
export function listenerScript(cluster: Cluster, host: ClusterHost): string {
  const ports = heldPorts(cluster, host).toSorted((one, other) => one.protocol.localeCompare(other.protocol));
  if (ports.length === 0) return '';
  const wanted =
    sh`${host.name} ${lifetimeOf(cluster)}`.text + ports.map(({ protocol, port }) => ` ${protocol}:${port}`).join('');
  return sh`at listener
${{ text: END_PREVIOUS, display: '' }}
set -- ${{ text: wanted, display: '' }}
program=perl; ports=$(may 20 perl -e ${PERL_LISTENER} "$@")
for p in python3 /usr/libexec/platform-python python python2; do
  [ -z "$ports" ] && command -v $p >/dev/null && { program=$p; ports=$(may 20 $p -c ${PYTHON_LISTENER} "$@"); }
done
echo "program $program"; echo "$ports"
${{ text: HOLDERS, display: '' }}`.text;
}

/** Seconds until the listener ends without being told to. */
const lifetimeOf = ({ hosts }: Cluster) =>
  Math.ceil(Math.max(...hosts.map(({ login }) => login.timeoutMs)) / 1000) + 30;

/** Ends the listener of an earlier check that was killed or is still waiting. */
const END_PREVIOUS = `for p in /proc/[0-9]*; do
  read -r n <$p/comm && [ "$n" = kubexm-check ] && kill \${p#/proc/} && i=0 || continue
  while [ -d $p ] && [ $i -lt 30 ]; do sleep 0.1; i=$((i + 1)); done
done`;

/** Prints the process that holds a taken port, and its service. */
const HOLDERS = String.raw`echo "$ports" | while read -r kind port state; do
  [ "$state" = taken ] && pid=$(ss -lnp -A $kind "sport = :$port" | sed -n 's/.*pid=\([0-9]*\).*/\1/p' | head -n 1) && [ -n "$pid" ] &&
    echo "holder $kind $port $pid $(cat /proc/$pid/comm) $(sed -n 's#.*/\([^/]*\.service\).*#\1#p' /proc/$pid/cgroup | head -n 1)"
done`;

/**
 * Listens on the given ports and prints which of them are free. Then answers every call with the name of the host, in
 * the background, until it has received as many calls as it was told to expect, or its lifetime is over.
 * Arguments: name, seconds, "tcp:6443"...
 */
export const PERL_LISTENER = String.raw`
use strict; use Socket; use POSIX qw(setsid EADDRINUSE);
$0 = 'kubexm-check'; $SIG{PIPE} = 'IGNORE'; $| = 1;
my ($name, $life, @want) = @ARGV;
sub listen_on {
  my ($kind, $port) = @_; my $why = '';
  for my $family (AF_INET6, AF_INET) {
    socket(my $s, $family, $kind eq 'tcp' ? SOCK_STREAM : SOCK_DGRAM, 0) or do { $why = "refused $!"; next };
    setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1) if $kind eq 'tcp';
    setsockopt($s, 41, 26, pack('l', 0)) if $family == AF_INET6;
    my $at = $family == AF_INET6 ? pack_sockaddr_in6($port, "\0" x 16) : pack_sockaddr_in($port, INADDR_ANY);
    return ($s, 'free') if bind($s, $at) && ($kind eq 'udp' || listen($s, 128));
    return (undef, 'taken') if $! == EADDRINUSE;
    $why = "refused $!";
  }
  return (undef, $why);
}
my (@tcp, @udp, $control);
for my $one (@want) {
  my ($kind, $port) = split /:/, $one;
  my ($s, $state) = listen_on($kind, $port);
  print "$kind $port $state\n";
  next if !$s;
  if ($kind eq 'tcp') { push @tcp, $s; $control ||= $port } else { push @udp, $s }
}
exit if !$control;
print "control $control\n";
my $child = fork; exit if !defined $child || $child;
setsid; open STDIN, '<', '/dev/null'; open STDOUT, '>', '/dev/null'; open STDERR, '>', '/dev/null';
my ($end, $calls, $expect, %seen, %guest) = (time + $life, 0, -1);
while (time < $end && ($expect < 0 || $calls < $expect)) {
  my $v = ''; vec($v, fileno $_, 1) = 1 for @tcp, @udp, values %guest;
  next if select($v, undef, undef, 1) < 1;
  for my $s (@tcp) {
    next if !vec($v, fileno $s, 1);
    my $from = accept(my $c, $s) or next;
    syswrite($c, "kubexm $name\n");
    my (undef, $ip) = sockaddr_family($from) == AF_INET6 ? unpack_sockaddr_in6($from) : unpack_sockaddr_in($from);
    if (substr($ip, -4) eq INADDR_LOOPBACK) { $guest{$c} = $c } else { $calls++ }
  }
  for my $s (@udp) {
    next if !vec($v, fileno $s, 1);
    my $from = recv($s, my $said, 64, 0); next if !defined $from;
    send($s, "kubexm $name\n", 0, $from); $calls++ if !$seen{$from}++;
  }
  for my $c (values %guest) {
    next if !vec($v, fileno $c, 1);
    sysread($c, my $said, 64);
    if (($said || '') =~ /^end (\d+)/) { $expect = $1; $end = time + 20 if $end > time + 20 }
    delete $guest{$c}; close $c;
  }
}
`;

/** The Python version, for hosts without Perl; runs on Python 2 and 3. */
export const PYTHON_LISTENER = String.raw`
import errno, os, select, socket, sys, time
name, life, want = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
hello = ('kubexm %s\n' % name).encode()
def listen_on(kind, port):
    why = ''
    for family in (socket.AF_INET6, socket.AF_INET):
        try:
            s = socket.socket(family, socket.SOCK_STREAM if kind == 'tcp' else socket.SOCK_DGRAM)
            if kind == 'tcp': s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6: s.setsockopt(41, 26, 0)
            s.bind(('', port))
            if kind == 'tcp': s.listen(128)
            return s, 'free'
        except (IOError, OSError, socket.error) as e:
            if e.errno == errno.EADDRINUSE: return None, 'taken'
            why = 'refused %s' % e.strerror
    return None, why
tcp, udp, control = [], [], None
for one in want:
    kind, port = one.split(':')
    s, state = listen_on(kind, int(port))
    print('%s %s %s' % (kind, port, state))
    if s is None: continue
    if kind == 'tcp':
        tcp.append(s)
        control = control or port
    else: udp.append(s)
if not control: sys.exit()
print('control %s' % control)
sys.stdout.flush()
if os.fork(): os._exit(0)
os.setsid()
open('/proc/self/comm', 'w').write('kubexm-check')
null = os.open('/dev/null', os.O_RDWR)
for fd in (0, 1, 2): os.dup2(null, fd)
end, calls, expect, seen, guests = time.time() + life, 0, -1, set(), []
while time.time() < end and (expect < 0 or calls < expect):
    for s in select.select(tcp + udp + guests, [], [], 1)[0]:
        try:
            if s in tcp:
                c, at = s.accept()
                c.sendall(hello)
                if at[0].endswith('127.0.0.1'): guests.append(c)
                else: calls += 1
            elif s in udp:
                _, at = s.recvfrom(64)
                s.sendto(hello, at)
                if at not in seen: calls += 1
                seen.add(at)
            else:
                guests.remove(s)
                said = s.recv(64).decode()
                if said.startswith('end '): expect, end = int(said[4:]), min(end, time.time() + 20)
                s.close()
        except (IOError, OSError, ValueError):
            pass
`;

/**
 * Serves one file to one host: prints the port it listens on, waits for a connection from the given address that starts
 * with the token read from stdin, sends the file and exits. Other connections get nothing. The file may still be growing:
 * it is sent as it arrives, until all of it is sent.
 * Arguments: address, seconds to wait, size, possible paths of the file.
 */
export const PERL_SERVER = String.raw`
use strict; use Socket; $SIG{PIPE} = 'IGNORE'; $| = 1;
my ($peer, $wait, $size, @paths) = @ARGV; my $word = <STDIN>; $word =~ s/\s+//g;
my $six = $peer =~ /:/; my $family = $six ? AF_INET6 : AF_INET;
my $s; socket($s, $family, SOCK_STREAM, 0) && bind($s, $six ? pack_sockaddr_in6(0, "\0" x 16) : pack_sockaddr_in(0, INADDR_ANY)) && listen($s, 8) or die "listen: $!\n";
my ($port) = $six ? unpack_sockaddr_in6(getsockname $s) : unpack_sockaddr_in(getsockname $s);
print "$port\n";
my $end = time + $wait; my $file;
while ((my $left = $end - time) > 0) {
  my $v = ''; vec($v, fileno $s, 1) = 1;
  next if select($v, undef, undef, $left) < 1;
  my $from = accept(my $c, $s) or next;
  my (undef, $ip) = $six ? unpack_sockaddr_in6($from) : unpack_sockaddr_in($from);
  setsockopt($c, SOL_SOCKET, SO_RCVTIMEO, pack('l!l!', 5, 0)); setsockopt($c, SOL_SOCKET, SO_SNDTIMEO, pack('l!l!', 60, 0));
  my $said = ''; while (length $said < 64 && $said !~ /\n/) { sysread($c, $said, 64, length $said) or last }
  $said =~ s/\s+//g; next if $said ne $word || $ip ne Socket::inet_pton($family, $peer);
  my $last = time;
  until ($file) {
    for (@paths) { last if open $file, '<:raw', $_; undef $file }
    die "$paths[0]: $!\n" if !$file && time - $last > $wait;
    select(undef, undef, undef, 0.05) if !$file;
  }
  for (my $sent = 0; $sent < $size;) {
    my $n = sysread($file, my $part, 1 << 20);
    if (!$n) { die "the file stopped growing\n" if time - $last > 60; select(undef, undef, undef, 0.02); next }
    for (my $at = 0; $at < $n;) { my $w = syswrite($c, $part, $n - $at, $at); die "send: $!\n" if !defined $w; $at += $w }
    $sent += $n; $last = time;
  }
  close $c; exit 0;
}
die "timed out waiting for a connection\n";
`;

/** The same for hosts without Perl, in Python 2 and 3. */
export const PYTHON_SERVER = String.raw`
import socket, sys, time
peer, wait, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
paths = sys.argv[4:]
word = sys.stdin.readline().strip()
family = socket.AF_INET6 if ':' in peer else socket.AF_INET
def find():
    for path in paths:
        try: return open(path, 'rb')
        except (IOError, OSError): pass
def send(c):
    f = find(); last = time.time(); sent = 0
    while not f:
        if time.time() - last > wait: sys.exit(paths[0] + ': not found')
        time.sleep(0.05)
        f = find()
    while sent < size:
        part = f.read(1 << 20)
        if not part:
            if time.time() - last > 60: sys.exit('the file stopped growing')
            time.sleep(0.02)
            f.seek(sent)
            continue
        c.sendall(part)
        sent += len(part); last = time.time()
s = socket.socket(family, socket.SOCK_STREAM)
s.bind(('', 0))
s.listen(8)
print(s.getsockname()[1])
sys.stdout.flush()
end = time.time() + wait
while True:
    left = end - time.time()
    if left <= 0: sys.exit('timed out waiting for a connection')
    s.settimeout(left)
    try: c, at = s.accept()
    except socket.timeout: continue
    c.settimeout(5)
    said = b''
    try:
        while len(said) < 64 and b'\n' not in said:
            part = c.recv(64)
            if not part: break
            said += part
    except (socket.error, socket.timeout): pass
    if said.strip() != word.encode() or socket.inet_pton(family, at[0]) != socket.inet_pton(family, peer):
        c.close()
        continue
    c.settimeout(60)
    send(c)
    c.close()
    sys.exit(0)
`;

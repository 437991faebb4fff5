import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { factsFrom } from '../../../../src/runner/facts/gather.ts';
import { interfacesIn, routesIn } from '../../../../src/runner/facts/network.ts';
import { familyOf, parseOsRelease } from '../../../../src/runner/facts/os-release.ts';
import { listeningIn } from '../../../../src/runner/facts/ports.ts';
import { FACTS_SCRIPT } from '../../../../src/runner/facts/script.ts';
import { sectionsIn } from '../../../../src/runner/facts/sections.ts';
import { servicesIn } from '../../../../src/runner/facts/services.ts';
import { mountsIn } from '../../../../src/runner/facts/storage.ts';
import { cgroupOf, packageManagerIn, virtualizationIn } from '../../../../src/runner/facts/system.ts';

describe('the operating system', () => {
  const systems: readonly (readonly [string, string, object])[] = [
    [
      'debian',
      `PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nVERSION="12 (bookworm)"\nID=debian\n`,
      { id: 'debian', versionId: '12', prettyName: 'Debian GNU/Linux 12 (bookworm)' },
    ],
    [
      'debian',
      `PRETTY_NAME="Ubuntu 22.04.4 LTS"\nNAME="Ubuntu"\nVERSION_ID="22.04"\nID=ubuntu\nID_LIKE=debian\nUBUNTU_CODENAME=jammy\n`,
      { id: 'ubuntu', idLike: ['debian'], versionId: '22.04' },
    ],
    [
      'debian',
      `PRETTY_NAME="Ubuntu 24.04.2 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n`,
      { id: 'ubuntu', versionId: '24.04' },
    ],
    [
      'rhel',
      `NAME="Rocky Linux"\nVERSION="9.3 (Blue Onyx)"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.3"\nPRETTY_NAME="Rocky Linux 9.3 (Blue Onyx)"\n`,
      { id: 'rocky', idLike: ['rhel', 'centos', 'fedora'], versionId: '9.3' },
    ],
    [
      'rhel',
      `NAME="CentOS Linux"\nVERSION="7 (Core)"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="7"\nPRETTY_NAME="CentOS Linux 7 (Core)"\n\nCENTOS_MANTISBT_PROJECT="CentOS-7"\n`,
      { id: 'centos', versionId: '7' },
    ],
    [
      'rhel',
      `NAME="openEuler"\nVERSION="22.03 (LTS-SP3)"\nID="openEuler"\nVERSION_ID="22.03"\nPRETTY_NAME="openEuler 22.03 (LTS-SP3)"\nANSI_COLOR="0;31"\n`,
      { id: 'openeuler', idLike: [], versionId: '22.03' },
    ],
    [
      'other',
      `NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.20.0\nPRETTY_NAME="Alpine Linux v3.20"\n`,
      { id: 'alpine' },
    ],
    ['other', 'CentOS release 6.10 (Final)\n', { id: 'linux', prettyName: 'CentOS release 6.10 (Final)' }],
  ];
  it.each(systems)('belongs to the %s family: %s', (family, text, os) => {
    const parsed = parseOsRelease(text);
    expect(parsed).toMatchObject(os);
    expect(familyOf(parsed, undefined)).toBe(family);
  });

  it('is classified by its package manager if its id is unknown', () => {
    const os = parseOsRelease('ID=something\n');
    expect(familyOf(os, 'apt')).toBe('debian');
    expect(familyOf(os, 'yum')).toBe('rhel');
  });

  it('has the newest installed package manager', () => {
    expect(packageManagerIn('/usr/bin/apt-get\n')).toBe('apt');
    expect(packageManagerIn('/usr/bin/dnf\n/usr/bin/yum\n')).toBe('dnf');
    expect(packageManagerIn('/bin/yum\n')).toBe('yum');
    expect(packageManagerIn('')).toBeUndefined();
  });

  it('is a physical machine, a virtual machine or a container', () => {
    expect(virtualizationIn('none')).toEqual({ type: 'none', name: 'none' });
    expect(virtualizationIn('none\nkvm')).toEqual({ type: 'vm', name: 'kvm' });
    expect(virtualizationIn('lxc')).toEqual({ type: 'container', name: 'lxc' });
  });

  it('has cgroups v1, v2 or hybrid', () => {
    expect(cgroupOf('cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n')).toBe('v2');
    const v1 = 'tmpfs /sys/fs/cgroup tmpfs ro 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw 0 0\n';
    expect(cgroupOf(v1)).toBe('v1');
    expect(cgroupOf(`${v1}cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n`)).toBe('hybrid');
  });
});

describe('storage', () => {
  const mounts = `/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
/dev/sdb /mnt/my\\040disk xfs rw,noatime 0 0
/dev/sda1 /var/lib/kubelet ext4 rw 0 0
`;
  const space = `Filesystem     1-blocks       Used  Available Capacity Mounted on
/dev/sda1      10000000 4000000 6000000 40% /
proc 0 0 0 - /proc
/dev/sdb  500 100 400 20% /mnt/my disk
/dev/sda1      10000000 4000000 6000000 40% /var/lib/kubelet
`;
  const inodes = `Filesystem Inodes IUsed IFree IUse% Mounted on
/dev/sda1 1000 400 600 40% /
/dev/sdb - - - - /mnt/my disk
`;
  it('is listed with size and inodes by mount point', () => {
    expect(mountsIn(mounts, space, inodes)).toEqual([
      {
        path: '/',
        type: 'ext4',
        options: ['rw', 'relatime'],
        sizeBytes: 1e7,
        freeBytes: 6e6,
        inodes: 1000,
        freeInodes: 600,
      },
      {
        path: '/mnt/my disk',
        type: 'xfs',
        options: ['rw', 'noatime'],
        sizeBytes: 500,
        freeBytes: 400,
        inodes: 0,
        freeInodes: 0,
      },
      {
        path: '/var/lib/kubelet',
        type: 'ext4',
        options: ['rw'],
        sizeBytes: 1e7,
        freeBytes: 6e6,
        inodes: 0,
        freeInodes: 0,
      },
    ]);
  });
});

describe('the network', () => {
  const links = 'eth0 1500 02:42:0a:b1:00:0b\nlo 65536 00:00:00:00:00:00\n';
  it('is parsed from ip', () => {
    const v4 =
      '1: lo    inet 127.0.0.1/8 scope host lo\n2: eth0    inet 10.0.0.1/24 brd 10.0.0.255 scope global eth0\n';
    const v6 = '2: eth0    inet6 fe80::1/64 scope link\n';
    expect(interfacesIn(v4, v6, links)).toEqual([
      { name: 'eth0', mac: '02:42:0a:b1:00:0b', mtu: 1500, addresses: ['10.0.0.1/24', 'fe80::1/64'] },
      { name: 'lo', mac: '00:00:00:00:00:00', mtu: 65536, addresses: ['127.0.0.1/8'] },
    ]);
    const routes =
      'default via 10.0.0.254 dev eth0 proto dhcp metric 100\n10.0.0.0/24 dev eth0 proto kernel\nblackhole 10.9.0.0/16\n';
    expect(routesIn(routes, 'fe80::/64 dev eth0 proto kernel\n')).toEqual([
      { destination: 'default', gateway: '10.0.0.254', interface: 'eth0' },
      { destination: '10.0.0.0/24', gateway: undefined, interface: 'eth0' },
      { destination: '10.9.0.0/16', gateway: undefined, interface: undefined },
      { destination: 'fe80::/64', gateway: undefined, interface: 'eth0' },
    ]);
  });

  it('is parsed from /proc if ip is missing', () => {
    const inet6 = 'fe800000000000000042 0afffeb1000b 02 40 20 80 eth0'.replace('0042 0afffeb1000b', '00420afffeb1000b');
    expect(interfacesIn('', `${inet6}\n`, 'eth0 1500 aa:bb:cc:dd:ee:ff\n')[0]?.addresses).toEqual([
      'fe80:0:0:0:42:aff:feb1:b/64',
    ]);
    const route = `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
eth0\t00000000\t0100B10A\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t0000B10A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
`;
    expect(routesIn(route, '')).toEqual([
      { destination: 'default', gateway: '10.177.0.1', interface: 'eth0' },
      { destination: '10.177.0.0/24', gateway: undefined, interface: 'eth0' },
    ]);
  });

  it('has listening ports from ss', () => {
    const text = `udp UNCONN 0 0 127.0.0.1%lo:323 0.0.0.0:* users:(("chronyd",pid=86,fd=5))
tcp LISTEN 0 128 [::]:22 [::]:* users:(("sshd",pid=87,fd=4))
tcp LISTEN 0 128 *:2379 *:*
`;
    expect(listeningIn(text, '')).toEqual([
      { protocol: 'udp', address: '127.0.0.1', port: 323, process: 'chronyd' },
      { protocol: 'tcp', address: '::', port: 22, process: 'sshd' },
      { protocol: 'tcp', address: '*', port: 2379, process: undefined },
    ]);
  });

  it('has listening ports from /proc', () => {
    const text = `tcp   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
tcp    0: 0100007F:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0
tcp    1: 0100007F:0016 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 100 0 0 10 0
tcp6    0: 00000000000000000000000001000000:1A0A 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 99 1 0 100 0 0 10 0
`;
    expect(listeningIn(text, 'socket:[4711] sshd\n')).toEqual([
      { protocol: 'tcp', address: '127.0.0.1', port: 22, process: 'sshd' },
      { protocol: 'tcp', address: '::1', port: 6666, process: undefined },
    ]);
  });
});

it('distinguishes active, inactive and absent services', () => {
  const block = (id: string, load: string, active: string) =>
    `Id=${id}.service\nLoadState=${load}\nActiveState=${active}\n`;
  const text = [
    block('etcd', 'loaded', 'active'),
    block('docker', 'loaded', 'failed'),
    block('crio', 'not-found', 'inactive'),
  ];
  expect(servicesIn(text.join('\n'))).toMatchObject({
    etcd: 'active',
    docker: 'inactive',
    crio: 'absent',
    ufw: 'absent',
  });
});

it('accepts a host that provides almost no facts', () => {
  const facts = factsFrom('node1', '\n== arch\naarch64\n== clock\n1000.5\n== end\n', 1_000_000);
  expect(facts).toMatchObject({
    arch: 'arm64',
    family: 'other',
    cpus: 1,
    mounts: [],
    clockSkewMs: 500,
    packageManager: undefined,
  });
});

it('rejects an unsupported architecture', () => {
  expect(() => factsFrom('node1', '\n== arch\nriscv64\n', 0)).toThrow(/riscv64/);
});

it('uses a valid POSIX shell script', () => {
  execFileSync('/bin/sh', ['-n'], { input: FACTS_SCRIPT });
});

it('splits the output only at section headers', () => {
  const section = sectionsIn('\n== a\n1\n\n== b\nx == c\n');
  expect([section('a').trim(), section('b').trim(), section('c')]).toEqual(['1', 'x == c', '']);
});

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { faults } from '../../src/lab/fault/faults.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm, type Called } from '../fast/cli/kubexm.ts';
import { labNames } from './support.ts';

const named = await labNames();
const names = { preflight: named('preflight') };
const CANARY = 'canary-77ac';
let lab: Lab;
let machines: readonly [Machine, Machine, Machine, Machine];
/** A valid cluster file; the fourth machine is not part of the cluster. */
let good: string;

beforeAll(async () => {
  lab = await labUp({ name: names.preflight, machines: 4, user: 'ops', sudoPassword: CANARY });
  const [one, two, three, four] = lab.machines;
  machines = [one!, two!, three!, four!];
  good = await clusterFile('good.yaml', (spec) => {
    spec.hosts = spec.hosts.slice(0, 3);
    spec.roleGroups = { etcd: ['node1'], master: ['node1'], worker: ['node2', 'node3'] };
  });
});

/** The spec fields that the tests change. */
interface Spec {
  hosts: Readonly<Record<string, unknown>>[];
  roleGroups: Readonly<Record<string, readonly string[]>>;
  controlPlaneEndpoint?: Readonly<Record<string, string>>;
  kubernetes: Readonly<Record<string, unknown>>;
}

async function clusterFile(name: string, change: (spec: Spec) => void): Promise<string> {
  const file: { readonly spec: Spec } = parse(await readFile(lab.paths.cluster, 'utf8'));
  change(file.spec);
  const path = join(lab.paths.folder, name);
  await writeFile(path, stringify(file));
  return path;
}

const call = (...args: readonly string[]): Promise<Called> =>
  kubexm([...args, '--workdir', lab.paths.folder], { KUBEXM_HOME: process.env['KUBEXM_HOME']! });

interface Finding {
  readonly check: string;
  readonly host: string;
  readonly severity: string;
  readonly found: string;
  readonly fix: string;
}

async function findings(file: string, ...args: readonly string[]): Promise<readonly Finding[]> {
  const { stdout, stderr } = await call('check', 'hosts', '-f', file, '-o', 'json', ...args);
  expect(stdout, stderr).toContain('findings');
  expect(`${stdout}${stderr}`).not.toContain('canary');
  return JSON.parse(stdout).findings;
}

const remains = (machine: Machine) =>
  scriptOn(
    machine,
    'ls -A /var/lib/kubexm /etc/sysctl.d/*kubexm* /var/lib/.kubexm* 2>/dev/null || true; ss -Hlntu | grep -v :22 || true; pgrep -f kubexm-check || true',
  );

test('the check passes on good machines and leaves nothing behind', async () => {
  const before = await Promise.all(machines.map(remains));
  const { exit, stdout, stderr } = await call('check', 'hosts', '-f', good);
  expect(stdout).toContain('✓ The hosts are ready for installation');
  expect(stdout).not.toMatch(/^error/m);
  expect(exit, stderr).toBe(0);
  expect(await Promise.all(machines.map(remains))).toEqual(before);
  expect(existsSync(join(lab.paths.folder, '.kubexm', names.preflight, 'runs'))).toBe(false);
});

test('settings that the cluster file leaves unmanaged must be correct already', async () => {
  const forward = '/proc/sys/net/ipv4/ip_forward';
  await scriptOn(machines[0], `cat ${forward} >/run/forward; echo 0 >${forward}`);
  const kept = ['etcHosts', 'packages', 'sysctl'].flatMap((field) => ['-e', `system.${field}=keep`]);
  const reported = (await findings(good, ...kept)).map(({ severity, check, host, found }) => [
    severity,
    check,
    host,
    found,
  ]);
  await scriptOn(machines[0], `cat /run/forward >${forward}`);
  expect(reported).toContainEqual(['error', 'PF4', 'node1', 'net.ipv4.ip_forward is 0']);
  expect(reported).toContainEqual(['error', 'PF9', 'node1', 'lb.kubexm.local does not resolve']);
  expect(reported).toContainEqual(['error', 'PF13', 'node1', 'ethtool not found']);
});

test('all problems are reported at once, each by its own check', async () => {
  const [node1, node2, node3, node4] = machines;
  const network = node1.address.replace(/\d+$/, '');
  const vip = `${network}200`;
  await Promise.all([
    scriptOn(node1, bad.node1),
    scriptOn(node2, bad.node2),
    scriptOn(node3, bad.node3),
    scriptOn(node4, `ip addr add ${vip}/24 dev eth0`),
    faults.slowDisk.apply(node1, { writes: 4 }),
  ]);
  const file = await clusterFile('bad.yaml', (spec) => {
    const [, , third, fourth] = spec.hosts;
    spec.hosts = [
      ...spec.hosts.slice(0, 3),
      { ...third, name: 'gone', address: `${network}250`, timeout: '2s' },
      { ...fourth, name: 'locked', sudoPassword: 'canary-wrong' },
    ];
    spec.roleGroups = { etcd: ['node1'], master: ['node1'], worker: ['node2', 'node3', 'gone', 'locked'] };
    spec.controlPlaneEndpoint = { internalLoadbalancer: 'kube-vip', lb_address: vip };
    spec.kubernetes = { version: 'v1.35.4', proxyMode: 'ipvs' };
  });
  const all = await findings(file);
  await faults.slowDisk.clear(node1);
  const findingsOf = (check: string, host: string) =>
    all
      .filter((each) => each.check === check && each.host === host)
      .map(({ severity, found }) => `${severity}: ${found}`)
      .join('\n');

  for (const name of ['node1', 'node2', 'node3']) expect(findingsOf('PF1', name)).toBe('');
  expect(findingsOf('PF1', 'gone')).toMatch(/^error: gone is unreachable/);
  expect(findingsOf('PF1', 'locked')).toMatch(/^error: sudo on locked rejected the password/);
  expect(findingsOf('PF2', 'node3')).toContain('Something 1 (something 1) is not in the support matrix');
  expect(findingsOf('PF3', 'node2')).toBe('error: 1 CPU\nerror: 1.0 GiB of memory');
  expect(findingsOf('PF4', 'node2')).toContain('lacks the modules ip_vs, ip_vs_rr, ip_vs_wrr, ip_vs_sh');
  expect(findingsOf('PF5', 'node1')).toBe('error: the host name is "Node_1"');
  expect(findingsOf('PF5', 'node2')).toBe('warning: node2 resolves to 127.0.0.1');
  expect(findingsOf('PF6', 'node1')).toBe('error: no time service is active');
  expect(findingsOf('PF6', 'node3')).toMatch(/error: the clock is (3[5-9]|4[0-5])\.\d s behind the other hosts/);
  expect(findingsOf('PF7', 'node1')).toMatch(
    /error: \/etc\/kubernetes \(root, since \d{4}-\d\d-\d\d\), kubelet.service \(root, .*\)\nwarning: .*iptables chains KUBE-\*/,
  );
  expect(findingsOf('PF8', 'node1')).toMatch(
    /^error: port 6443\/tcp is in use by socat \(pid \d+, squatter.service\)$/,
  );
  expect(findingsOf('PF9', 'node1')).toBe('error: /etc/resolv.conf lists no name server');
  expect(findingsOf('PF9', 'node2')).toBe('error: /etc/resolv.conf does not exist');
  expect(findingsOf('PF10', 'node1')).toBe('warning: SELinux is enforcing');
  expect(findingsOf('PF10', 'node2')).toMatch(/warning: nftables is active\nwarning: 1.0 GiB of swap/);
  expect(findingsOf('PF10', 'node3')).toBe('');
  expect(findingsOf('PF11', 'file')).toContain('is deprecated as of Kubernetes 1.35');
  expect(findingsOf('PF12', 'node2')).toMatch(/error: .* cannot reach .* udp 8472 \(flannel VXLAN\): no response/);
  expect(findingsOf('PF12', 'node1')).toBe('');
  expect(findingsOf('PF13', 'node3')).toBe('error: sysctl not found\nnote: ethtool not found');
  expect(findingsOf('PF14', 'node2')).toMatch(
    /error: 0.0 GiB free on \/var\/lib\/kubelet\nerror: \/opt is mounted noexec\nerror: \d of 100 inodes free on \/opt/,
  );
  expect(findingsOf('PF15', 'node3')).toMatch(/error: machine-id \w+ is also used by node2/);
  expect(findingsOf('PF16', 'node1')).toMatch(
    new RegExp(`error: ${vip} is in use: it responds to ARP \\(02:.*\\), ping`),
  );
  expect(findingsOf('PF17', 'node1')).toMatch(
    /^(error|warning): latency of synced writes in \/var\/lib\/etcd: p99 \d+\.\d ms/,
  );
  // Machines have the cgroup version of this computer.
  const hasCgroupV1 = (await scriptOn(node1, 'stat -fc %T /sys/fs/cgroup')).trim() !== 'cgroup2fs';
  if (hasCgroupV1) expect(findingsOf('PF18', 'node1')).toMatch(/^error: cgroup /);
  const silent = Array.from({ length: 18 }, (_, index) => `PF${index + 1}`).filter(
    (id) => !all.some(({ check }) => check === id),
  );
  expect(silent).toEqual(hasCgroupV1 ? [] : ['PF18']);
  expect(all.find(({ check }) => check === 'PF8')?.fix).toBe('systemctl disable --now squatter.service');
  expect(all.find(({ check }) => check === 'PF13')?.fix).toBe('apt-get update && apt-get install -y procps');
});

test('create cluster stops at errors before changing anything; ignored checks become warnings', async () => {
  const { exit, stderr } = await call('create', 'cluster', '-f', good);
  expect(stderr).toContain('Preflight checks failed');
  expect(stderr).toMatch(/PF8 +node1\n +found +port 6443\/tcp is in use by socat/);
  expect(exit).toBe(10);
  expect(await scriptOn(machines[1], 'ls /etc/sysctl.d/*kubexm* 2>/dev/null || echo none')).toBe('none\n');
  expect((await call('check', 'hosts', '-f', good, '--ignore', 'PF77')).exit).toBe(2);
  const only = await findings(good, '--nodes', 'node3', '--ignore', 'pf6,PF13');
  expect(only.find(({ check }) => check === 'PF13')).toMatchObject({ host: 'node3', severity: 'warning' });
  expect(only.filter(({ host }) => host === 'node1' || host === 'node2')).toEqual([]);
  const plan = await call('create', 'cluster', '-f', good, '--skip-preflight', '--dry-run', '--tags', 'infrastructure');
  // The cluster name contains "preflight", too, so check for the step prefix.
  expect(plan.stdout).toContain('os.sysctl@');
  expect(plan.stdout).not.toContain('preflight.');
});

// Lab machines share one clock, so node3 gets a `date` program that lies.
const bad = {
  node1: `systemd-run -q --unit squatter socat TCP-LISTEN:6443,fork,reuseaddr SYSTEM:cat
mkdir -p /etc/kubernetes && touch /etc/kubernetes/admin.conf
printf '[Service]\\nExecStart=/bin/true\\n' > /etc/systemd/system/kubelet.service; systemctl daemon-reload
iptables -N KUBE-SERVICES; iptables -N KUBE-NODEPORTS
systemctl stop chrony
: > /etc/resolv.conf
echo Node_1 > /proc/sys/kernel/hostname
printf '#!/bin/sh\\necho Enforcing\\n' > /usr/local/bin/getenforce; chmod 755 /usr/local/bin/getenforce`,
  node2: `nft add table inet guard; nft add chain inet guard in '{ type filter hook input priority 0 ; }'; nft add rule inet guard in udp dport 8472 drop
rm /etc/resolv.conf
echo '127.0.0.1 localhost node2' > /etc/hosts
taskset -ap 1 "$(cat /run/sshd.pid)" >/dev/null
sed 's/^MemTotal:.*/MemTotal: 1000000 kB/; s/^SwapTotal:.*/SwapTotal: 1048576 kB/' /proc/meminfo > /run/meminfo; mount --bind /run/meminfo /proc/meminfo
mount -t tmpfs -o size=4m none /var/lib/kubelet
mount -t tmpfs -o size=9g,noexec,nr_inodes=100 none /opt; seq -f /opt/%g 95 | xargs touch
echo 0123456789abcdef0123456789abcdef > /etc/machine-id`,
  node3: `printf '#!/bin/sh\\nFAKETIME=-40s LD_PRELOAD=%s exec /usr/bin/date "$@"\\n' /usr/lib/*/faketime/libfaketime.so.1 > /usr/local/bin/date; chmod 755 /usr/local/bin/date
mv /usr/sbin/sysctl /usr/sbin/sysctl.away
nft add table inet kubexm_firewall; nft add chain inet kubexm_firewall in '{ type filter hook input priority 0 ; }'; nft add rule inet kubexm_firewall in udp dport 9 drop
printf 'ID=something\\nVERSION_ID=1\\nPRETTY_NAME="Something 1"\\n' > /run/os-release; mount --bind /run/os-release /etc/os-release
echo 0123456789abcdef0123456789abcdef > /etc/machine-id`,
};

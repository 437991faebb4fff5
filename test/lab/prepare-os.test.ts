import { beforeAll, expect, it } from 'vitest';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labCluster, type LabCluster } from './support/lab-cluster.ts';
import { hostState } from './support/host-state.ts';
import { labNames, sshText } from './support.ts';

const HOSTS_ONLY = ['--skip-preflight', '--tags', 'infrastructure'];
const named = await labNames();
const name = named('os');
let lab: Lab;
let before: readonly (readonly string[])[];
let call: LabCluster['call'];
const states = (machines: readonly Machine[]) => Promise.all(machines.map(hostState));

beforeAll(async () => {
  lab = await labUp({ name, machines: 2 });
  for (const machine of lab.machines) await scriptOn(machine, OPERATOR_CHANGES);
  ({ call } = await labCluster(lab, SPEC));
  before = await states(lab.machines);
});

// Typical manual changes: host name, swap, SELinux, edited files with other modes.
const OPERATOR_CHANGES = String.raw`
printf 'UUID=1 / ext4 defaults 0 1\n/swap.img none swap sw 0 0' >/etc/fstab; chmod 640 /etc/fstab
mkdir -p /etc/selinux; printf '# SELINUX= says how\nSELINUX=enforcing\nSELINUXTYPE=targeted\n' >/etc/selinux/config
echo other.example >/etc/hostname; hostname other.example
printf '[Swap]\nWhat=/swap.img\n[Install]\nWantedBy=swap.target\n' >/etc/systemd/system/swap.img.swap
systemctl daemon-reload; systemctl enable -q swap.img.swap
printf '\n10.0.0.7 mine' >>/etc/hosts; chmod 600 /etc/hosts
`;

const SPEC = {
  system: {
    timezone: 'Asia/Shanghai',
    ntpServers: ['node1'],
    firewall: 'rules',
    debs: ['jq'],
    preInstall: [{ name: 'note', bash: 'echo "$HOSTNAME" >>/root/scripts', roles: ['worker'] }],
    postInstall: [{ name: 'note again', bash: 'echo "$HOSTNAME is ready" >>/root/scripts', roles: ['worker'] }],
  },
  extra: { hosts: [{ domain: 'db.example.com', address: '10.9.9.9' }], resolves: [{ address: '127.0.0.53' }] },
};

it('prepares hosts', async () => {
  const { exit, stderr } = await call('create', 'cluster', ...HOSTS_ONLY);
  expect(exit, stderr).toBe(0);
  const on = (command: string) => sshText(lab, 'node2', command);
  expect(await on('hostname; cat /etc/hostname')).toBe('node2\nnode2');
  expect(await on('getent hosts node1 db.example.com lb.kubexm.local | wc -l')).toBe('3');
  expect(await on('head -2 /etc/resolv.conf')).toContain('nameserver 127.0.0.53');
  expect(await on('grep SELINUX= /etc/selinux/config | tail -1; grep -c "^/swap" /etc/fstab; true')).toBe(
    'SELINUX=permissive\n0',
  );
  expect(await on('systemctl is-enabled swap.img.swap; true')).toBe('disabled');
  expect(await on('date +%Z; cat /proc/sys/net/ipv4/ip_forward')).toBe('CST\n1');
  expect(await on('nft list ruleset')).toContain('tcp dport 10250 accept');
  expect(await on('chronyc -n sources | grep -c "^\\^\\*"')).toBe('1');
  expect(await on('jq --version; cat /root/scripts')).toMatch(/^jq-.*\nother.example\nnode2 is ready$/);
});

it('changes nothing on a second run', async () => {
  const now = await states(lab.machines);
  const { exit, stderr } = await call('create', 'cluster', ...HOSTS_ONLY);
  expect(exit, stderr).toBe(0);
  expect(stderr).toContain('Nothing to do');
  expect(await states(lab.machines)).toEqual(now);
});

it('restores flushed firewall rules', async () => {
  await sshText(lab, 'node2', 'nft delete table inet kubexm_firewall');
  const { exit, stderr } = await call('create', 'cluster', '--skip-preflight', '--tags', 'os.firewall');
  expect(exit, stderr).toBe(0);
  expect(await sshText(lab, 'node2', 'nft list ruleset')).toContain('tcp dport 10250 accept');
});

it('removes its firewall rules with firewall: disable', async () => {
  await labCluster(lab, { ...SPEC, system: { ...SPEC.system, firewall: 'disable' } });
  const { exit, stderr } = await call('create', 'cluster', '--skip-preflight', '--tags', 'os.firewall');
  expect(exit, stderr).toBe(0);
  expect(await sshText(lab, 'node2', 'nft list ruleset; ls /etc/kubexm 2>/dev/null; true')).toBe('');
});

it('restores hosts to their original state', async () => {
  const { exit, stderr } = await call('delete', 'cluster', '--yes');
  expect(exit, stderr).toBe(0);
  // kubexm does not undo user scripts.
  await scriptOn(lab.machines[1]!, 'rm /root/scripts');
  const after = await states(lab.machines);
  for (const [index, state] of after.entries()) expect(state).toEqual(before[index]);
  expect(
    await sshText(lab, 'node2', 'chronyc -n sources | grep -c "^\\^"; true'),
    'chrony uses its original file',
  ).toBe('0');
  expect(await sshText(lab, 'node1', 'ls -A /var/lib/kubexm 2>/dev/null; true')).toBe('');
});

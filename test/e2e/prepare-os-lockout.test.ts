import { beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/common/errors/exit-codes.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labCluster, type LabCluster } from '../lab/support/lab-cluster.ts';
import { hostState, withoutTimestamps } from '../lab/support/host-state.ts';
import { labNames, ssh } from '../lab/support.ts';

const named = await labNames();
const name = named('cutoff');
let lab: Lab;
let cluster: LabCluster;

beforeAll(async () => {
  lab = await labUp({ name, machines: 2 });
  const [one, other] = lab.machines;
  await Promise.all([scriptOn(one!, HIDDEN_SSHD), scriptOn(other!, LOGIN_BY_NAME)]);
  // Three dead name servers: the fourth would answer, but resolvers query at most three.
  const resolves = [97, 98, 99].map((last) => ({ address: `127.0.0.${last}` }));
  cluster = await labCluster(lab, { system: { firewall: 'rules' }, extra: { resolves } });
}, 300_000);

// SSH logins are redirected to a port whose listener is not named sshd.
const HIDDEN_SSHD = `cp /usr/sbin/sshd /usr/local/sbin/gate
systemd-run -q --unit gate /usr/local/sbin/gate -D -p 2222
nft 'table ip way { chain in { type nat hook prerouting priority dstnat; tcp dport 22 redirect to :2222; }; }'`;

// Logins are only accepted from a client whose address resolves to a known name.
const LOGIN_BY_NAME = `apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends dnsmasq-base >/dev/null 2>&1
server=$(sed -n 's/^nameserver //p' /etc/resolv.conf)
systemd-run -q --unit names dnsmasq -k --no-hosts --no-resolv --listen-address=127.0.0.1 --bind-interfaces --host-record="operator.example,$server"
echo 'nameserver 127.0.0.1' >/etc/resolv.conf
echo 'UseDNS yes' >/etc/ssh/sshd_config.d/names.conf; systemctl reload ssh
sed -i 's/^ssh-/from="operator.example" &/' /root/.ssh/authorized_keys`;

const acceptsLogin = async (machine: Machine) => (await ssh(lab, machine.name, 'true')).exit === 0;
const stateOf = async (machine: Machine) => withoutTimestamps(await hostState(machine));

describe.each([
  ['firewall', 0],
  ['resolver', 1],
] as const)('a %s change that blocks SSH access', (kind, index) => {
  const args = () => [
    'create',
    'cluster',
    '--skip-preflight',
    '--nodes',
    lab.machines[index]!.name,
    '--tags',
    `os.${kind}`,
  ];

  it('is reported and rolled back over the open connection', async () => {
    const machine = lab.machines[index]!;
    expect(await acceptsLogin(machine)).toBe(true);
    const before = await stateOf(machine);
    const { exit, stderr } = await cluster.call(...args());
    expect(stderr).toContain(`${machine.name} no longer accepts new SSH connections`);
    expect(exit).toBe(EXIT.command);
    expect(await acceptsLogin(machine)).toBe(true);
    expect(await stateOf(machine)).toEqual(before);
  });

  it('is reverted by the host itself if no one reconnects', async () => {
    const machine = lab.machines[index]!;
    const before = await stateOf(machine);
    const run = cluster.call(...args(), '--no-rollback');
    // During the run: on a busy computer the host has reverted the change before the run ends.
    await expect.poll(() => acceptsLogin(machine), { timeout: 60_000, interval: 500 }).toBe(false);
    const { stderr } = await run;
    expect(stderr).toContain('restores the previous state within 60 s');
    await expect.poll(() => acceptsLogin(machine), { timeout: 90_000, interval: 2000 }).toBe(true);
    await expect.poll(() => stateOf(machine), { timeout: 20_000 }).toEqual(before);
  });
});

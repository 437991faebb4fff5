import { beforeAll, describe, expect, it } from 'vitest';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labCluster, expectInstallAndUninstall, type LabCluster } from '../lab/support/lab-cluster.ts';
import { hostState, withoutTimestamps } from '../lab/support/host-state.ts';
import { labNames } from '../lab/support.ts';

const named = await labNames();
const name = named('walls');
let lab: Lab;
let cluster: LabCluster;
const INSTALL = 'apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends';

beforeAll(async () => {
  lab = await labUp({ name, machines: 2 });
  const [one, other] = lab.machines;
  await Promise.all([
    scriptOn(one!, `${INSTALL} ufw >/dev/null 2>&1; ufw allow 22/tcp; ufw allow 8080/tcp; ufw --force enable`),
    scriptOn(
      other!,
      `${INSTALL} firewalld >/dev/null 2>&1; systemctl start firewalld; firewall-cmd -q --zone=internal --change-interface=eth0; firewall-cmd -q --zone=internal --add-port=9090/tcp`,
    ),
  ]);
  cluster = await labCluster(lab, { system: { firewall: 'rules' } });
});

/** Ignores times, because both services rewrite their files, and firewalld rules, because it keeps empty chains of unused zones. */
const stateOf = async (machine: Machine) => [
  ...withoutTimestamps(await hostState(machine)).filter(
    (line) => machine.name === 'node1' || !line.startsWith('rule '),
  ),
  await scriptOn(
    machine,
    'command -v firewall-cmd >/dev/null || exit 0; firewall-cmd --list-all-zones; firewall-cmd --permanent --list-all-zones',
  ),
];

const SHOWS = {
  // The kubelet is open to the other host only.
  ufw: ['ufw status', /kubexm +ALLOW +Anywhere[^]*kubexm-cluster +ALLOW +\d+\.\d+\.\d+\.\d+/],
  firewalld: [
    'firewall-cmd --zone=internal --list-ports; firewall-cmd --permanent --zone=internal --list-ports; firewall-cmd --zone=trusted --list-sources',
    /^(?![^]*10250\/tcp)22\/tcp 9090\/tcp.*10256\/tcp[^]*22\/tcp 10256\/tcp[^]*\n.*\d+\.\d+\.\d+\.\d+(\s|$)/,
  ],
} as const;

describe.each([
  ['ufw', 0],
  ['firewalld', 1],
] as const)('%s', (kind, index) => {
  it('opens the ports of the roles, keeps existing rules, and is restored on delete', async () => {
    const machine = lab.machines[index]!;
    await expectInstallAndUninstall(cluster, {
      machine,
      createTags: 'os.firewall',
      deleteTags: 'os.firewall.undo',
      stateOf,
      async verify() {
        expect(await scriptOn(machine, SHOWS[kind][0])).toMatch(SHOWS[kind][1]);
        expect(await scriptOn(machine, 'nft list tables')).not.toContain('kubexm_firewall');
      },
    });
  });
});

import { beforeAll, expect, it } from 'vitest';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labCluster, expectInstallAndUninstall, type LabCluster } from '../lab/support/lab-cluster.ts';
import { labNames } from '../lab/support.ts';

const named = await labNames();
const name = named('time');
let host: Machine;
let server: Machine;
let cluster: LabCluster;

beforeAll(async () => {
  const lab: Lab = await labUp({ name, machines: 2 });
  [host, server] = [lab.machines[0]!, lab.machines[1]!];
  // Given by address, so it is treated as an external server.
  await scriptOn(server, 'echo allow >>/etc/chrony/chrony.conf; systemctl restart chrony');
  cluster = await labCluster(lab, { system: { ntpServers: [server.address] } });
});

it('a host synchronizes with external NTP servers and is restored on delete', async () => {
  const selectedSource = () => scriptOn(host, "chronyc -n sources | grep '^^[*]' || true");
  await expectInstallAndUninstall(cluster, {
    machine: host,
    createTags: 'sync-time',
    deleteTags: 'restore-time',
    async verify() {
      expect(
        await scriptOn(host, 'cat /etc/chrony/chrony.conf; systemctl is-active chrony; systemctl is-enabled chrony'),
      ).toBe(
        `# Written by kubexm.
server ${server.address} iburst
driftfile /var/lib/chrony/chrony.drift
makestep 1.0 3
rtcsync
active
enabled
`,
      );
      await expect.poll(selectedSource, { timeout: 60_000, interval: 1000 }).toContain(server.address);
    },
  });
  expect(await selectedSource(), 'chrony uses its original configuration').toBe('');
});

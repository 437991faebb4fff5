import { beforeAll, expect, it } from 'vitest';
import { scriptOn, type Machine } from '../../src/lab/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { askedCluster, type AskedCluster } from '../lab/asked-cluster.ts';
import { hostState } from '../lab/host-state.ts';
import { labNames } from '../lab/support.ts';

const named = await labNames();
const name = named('time');
let host: Machine;
let server: Machine;
let cluster: AskedCluster;

beforeAll(async () => {
  const lab: Lab = await labUp({ name, machines: 2 });
  [host, server] = [lab.machines[0]!, lab.machines[1]!];
  // Known by its address alone it is a server like any other.
  await scriptOn(server, 'echo allow >>/etc/chrony/chrony.conf; systemctl restart chrony');
  cluster = await askedCluster(lab, { system: { ntpServers: [server.address] } });
});

const only = (...tags: readonly string[]) => ['--nodes', host.name, '--tags', tags.join(',')];

it('a host keeps the time of servers outside the cluster, and is left as it was', async () => {
  const before = await hostState(host);
  const created = await cluster.call('create', 'cluster', '--skip-preflight', ...only('sync-time'));
  expect(created.exit, created.stderr).toBe(0);
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
  const chosen = () => scriptOn(host, "chronyc -n sources | grep '^^[*]' || true");
  await expect.poll(chosen, { timeout: 60_000, interval: 1000 }).toContain(server.address);

  const again = await cluster.call('create', 'cluster', '--skip-preflight', ...only('sync-time'));
  expect(again.stderr).toContain('Nothing to do');

  const deleted = await cluster.call('delete', 'cluster', '--yes', ...only('restore-time'));
  expect(deleted.exit, deleted.stderr).toBe(0);
  expect(await hostState(host)).toEqual(before);
  expect(await chosen(), 'chrony reads its old file').toBe('');
});

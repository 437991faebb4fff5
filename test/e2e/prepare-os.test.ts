import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import type { Called } from '../fast/cli/kubexm.ts';
import { labCluster, type LabCluster } from '../lab/support/lab-cluster.ts';
import { hostState, withoutTimes } from '../lab/support/host-state.ts';
import { labNames } from '../lab/support.ts';
import { killAlong } from './support/repeated-kills.ts';
import { toldOf } from './support/kill-at.ts';

// What is installed after it comes from a mirror, and has suites of its own.
const PREPARED = ['--tags', 'check-hosts,infrastructure'];
const HOSTS_ONLY = ['--skip-preflight', '--tags', 'infrastructure'];
const named = await labNames();
const names = { five: named('five'), two: named('two') };

/** Machines, and a cluster file that asks for everything. */
async function prepared(name: string, machines: number): Promise<LabCluster & { readonly lab: Lab }> {
  const lab = await labUp({ name, machines });
  const system = { timezone: 'Asia/Shanghai', ntpServers: ['node1'], firewall: 'rules', debs: ['jq'] };
  const extra = { hosts: [{ domain: 'db.example.com', address: '10.9.9.9' }], resolves: [{ address: '127.0.0.53' }] };
  return { lab, ...(await labCluster(lab, { system, extra })) };
}

const states = (machines: readonly Machine[]) => Promise.all(machines.map(hostState));
const ended = ({ exit, stderr }: Called) => expect(exit, stderr).toBe(0);

describe('five machines', () => {
  it('are made ready, are found so, and are left as they were, a service of time that had to give way too', async () => {
    const { lab, call } = await prepared(names.five, 5);
    await scriptOn(
      lab.machines[4]!,
      'apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq -y install systemd-timesyncd >/dev/null 2>&1',
    );
    const before = await states(lab.machines);

    const checked = await call('check', 'hosts');
    expect(checked.stdout).toContain('The hosts are fit');
    ended(await call('create', 'cluster', ...PREPARED));
    const ready = await states(lab.machines);
    const again = await call('create', 'cluster', ...PREPARED);
    expect(again.stderr).toContain('Nothing to do');
    expect(await states(lab.machines)).toEqual(ready);

    ended(await call('delete', 'cluster', '--yes'));
    const after = await states(lab.machines);
    for (const [place, state] of after.entries()) expect(state, `node${place + 1}`).toEqual(before[place]);
  }, 1_800_000);
});

describe('two machines', () => {
  it('end the same when kubexm is killed at each record of a step in its journal, and when the last step of a task fails are as they were', async () => {
    const { lab, file, call } = await prepared(names.two, 2);
    const before = await states(lab.machines);

    ended(await call('create', 'cluster', ...HOSTS_ONLY));
    const wanted = (await states(lab.machines)).map(withoutTimes);
    ended(await call('delete', 'cluster', '--yes'));
    expect(await states(lab.machines)).toEqual(before);

    const kills = await createWithKills(lab, file);
    console.log(`${kills} kills along one create on two machines`);
    expect(kills).toBeGreaterThan(20);
    expect((await states(lab.machines)).map(withoutTimes)).toEqual(wanted);
    ended(await call('delete', 'cluster', '--yes'));
    expect(await states(lab.machines)).toEqual(before);

    // Where the last step of the task wants a file there is a folder.
    for (const machine of lab.machines) await scriptOn(machine, 'mkdir -p /etc/kubexm/firewall.nft/x');
    const spoilt = await states(lab.machines);
    const failed = await call('create', 'cluster', ...HOSTS_ONLY);
    expect(failed.stderr).toContain('os.firewall');
    expect(failed.exit).not.toBe(0);
    expect(await states(lab.machines)).toEqual(spoilt);
  }, 3_600_000);
});

/** Killed at the next record that tells something new of a step; resolves with how often. */
async function createWithKills(lab: Lab, file: string): Promise<number> {
  const earlier = runsOf(lab);
  const args = ['create', 'cluster', ...HOSTS_ONLY, '-f', file, '--workdir', lab.paths.folder];
  const next = () => ({ record: 1, when: 'saved', known: toldBy(lab, earlier) }) as const;
  return (await killAlong({ lab, args, next })).length;
}

const runsOf = ({ paths, name }: Lab) => readdirSync(join(paths.folder, '.kubexm', name, 'runs')).toSorted();

/** What the newest run tells of its steps. */
function toldBy(lab: Lab, earlier: readonly string[]): readonly string[] {
  const run = runsOf(lab).findLast((one) => !earlier.includes(one));
  if (run === undefined) return [];
  const path = join(lab.paths.folder, '.kubexm', lab.name, 'runs', run, 'journal.jsonl');
  return existsSync(path) ? [...new Set(toldOf(readFileSync(path, 'utf8')))] : [];
}

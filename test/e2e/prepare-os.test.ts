import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import type { Called } from '../fast/cli/kubexm.ts';
import { labCluster, type LabCluster } from '../lab/support/lab-cluster.ts';
import { hostState, withoutTimestamps } from '../lab/support/host-state.ts';
import { labNames } from '../lab/support.ts';
import { killRepeatedly } from './support/repeated-kills.ts';
import { stepRecords } from './support/kill-at.ts';

// Later modules need a mirror and have their own suites.
const PREPARED = ['--tags', 'check-hosts,infrastructure'];
const HOSTS_ONLY = ['--skip-preflight', '--tags', 'infrastructure'];
const named = await labNames();
const names = { five: named('five'), two: named('two') };

/** Starts machines, and writes a cluster file that uses every feature of host preparation. */
async function prepared(name: string, machines: number): Promise<LabCluster & { readonly lab: Lab }> {
  const lab = await labUp({ name, machines });
  const system = { timezone: 'Asia/Shanghai', ntpServers: ['node1'], firewall: 'rules', debs: ['jq'] };
  const extra = { hosts: [{ domain: 'db.example.com', address: '10.9.9.9' }], resolves: [{ address: '127.0.0.53' }] };
  return { lab, ...(await labCluster(lab, { system, extra })) };
}

const states = (machines: readonly Machine[]) => Promise.all(machines.map(hostState));
const expectSuccess = ({ exit, stderr }: Called) => expect(exit, stderr).toBe(0);

describe('five machines', () => {
  it('are prepared, stay unchanged on a re-run, and are restored on delete, including a replaced time service', async () => {
    const { lab, call } = await prepared(names.five, 5);
    await scriptOn(
      lab.machines[4]!,
      'apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq -y install systemd-timesyncd >/dev/null 2>&1',
    );
    const before = await states(lab.machines);

    const checked = await call('check', 'hosts');
    expect(checked.stdout).toContain('The hosts are ready for installation');
    expectSuccess(await call('create', 'cluster', ...PREPARED));
    const ready = await states(lab.machines);
    const again = await call('create', 'cluster', ...PREPARED);
    expect(again.stderr).toContain('Nothing to do');
    expect(await states(lab.machines)).toEqual(ready);

    expectSuccess(await call('delete', 'cluster', '--yes'));
    const after = await states(lab.machines);
    for (const [index, state] of after.entries()) expect(state, `node${index + 1}`).toEqual(before[index]);
  }, 1_800_000);
});

describe('two machines', () => {
  it('reach the same state if kubexm is killed at every journal record, and are restored if the last step of a task fails', async () => {
    const { lab, file, call } = await prepared(names.two, 2);
    const before = await states(lab.machines);

    expectSuccess(await call('create', 'cluster', ...HOSTS_ONLY));
    const expected = (await states(lab.machines)).map(withoutTimestamps);
    expectSuccess(await call('delete', 'cluster', '--yes'));
    expect(await states(lab.machines)).toEqual(before);

    const kills = await createWithKills(lab, file);
    console.log(`${kills} kills during one create on two machines`);
    expect(kills).toBeGreaterThan(20);
    expect((await states(lab.machines)).map(withoutTimestamps)).toEqual(expected);
    expectSuccess(await call('delete', 'cluster', '--yes'));
    expect(await states(lab.machines)).toEqual(before);

    // A directory at the path of a file makes the last step of the task fail.
    for (const machine of lab.machines) await scriptOn(machine, 'mkdir -p /etc/kubexm/firewall.nft/x');
    const broken = await states(lab.machines);
    const failed = await call('create', 'cluster', ...HOSTS_ONLY);
    expect(failed.stderr).toContain('os.firewall');
    expect(failed.exit).not.toBe(0);
    expect(await states(lab.machines)).toEqual(broken);
  }, 3_600_000);
});

/** Kills at every new record about a step. Returns the number of kills. */
async function createWithKills(lab: Lab, file: string): Promise<number> {
  const earlier = runsOf(lab);
  const args = ['create', 'cluster', ...HOSTS_ONLY, '-f', file, '--workdir', lab.paths.folder];
  const next = () => ({ record: 1, when: 'saved', known: recordsSince(lab, earlier) }) as const;
  return (await killRepeatedly({ lab, args, next })).length;
}

const runsOf = ({ paths, name }: Lab) => readdirSync(join(paths.folder, '.kubexm', name, 'runs')).toSorted();

/** The step records of the newest run. */
function recordsSince(lab: Lab, earlier: readonly string[]): readonly string[] {
  const run = runsOf(lab).findLast((one) => !earlier.includes(one));
  if (run === undefined) return [];
  const path = join(lab.paths.folder, '.kubexm', lab.name, 'runs', run, 'journal.jsonl');
  return existsSync(path) ? [...new Set(stepRecords(readFileSync(path, 'utf8')))] : [];
}

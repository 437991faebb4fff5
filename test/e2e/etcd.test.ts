import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mirrorPaths } from '../../src/lab/mirror/paths.ts';
import { serveMirror, type MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { installEtcdModule, uninstallEtcdModule } from '../../src/module/etcd.ts';
import { buildMirror, MIRROR, needsMirror } from '../lab/built-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { moduleHarness, type ModuleHarness } from '../lab/support/module-harness.ts';
import { labNames, ssh, sshText } from '../lab/support.ts';

const named = await labNames();
const name = named('etcd');
const NODES = ['node1', 'node2', 'node3'];
const SSL = '/etc/kubexm/etcd/ssl';
const CLIENT = `--cacert ${SSL}/ca.pem --cert ${SSL}/node.pem --key ${SSL}/node-key.pem`;

describe('etcd on three machines', await needsMirror('1.35.4', ['etcd']), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let trial: ModuleHarness;
  let before: readonly (readonly string[])[];
  const states = () => Promise.all(lab.machines.map(hostState));
  const create = () => trial.create(installEtcdModule);
  const settings = (etcd: object) =>
    trial.write((spec) => ({
      ...spec,
      roleGroups: { etcd: NODES, master: ['node1'], worker: ['node2', 'node3'] },
      etcd: { version: '3.6.16', ...etcd },
      artifacts: { mirror: mirror.urls[0], checksums: mirrorPaths(MIRROR).checksums },
    }));
  const member = (host: string, words: string) =>
    sshText(
      lab,
      host,
      `etcdctl --endpoints https://127.0.0.1:2379 --cacert ${SSL}/ca.pem --cert ${SSL}/admin-${host}.pem --key ${SSL}/admin-${host}-key.pem ${words}`,
    );

  beforeAll(async () => {
    lab = await labUp({ name, machines: 3 });
    await buildMirror('1.35.4', ['etcd']);
    mirror = await serveMirror({ folder: MIRROR, listen: [{ host: '127.0.0.1', port: 0 }] });
    trial = moduleHarness(lab);
    await settings({});
    before = await states();
  });
  afterAll(() => mirror.close());

  it('starts all members, which elect one leader and accept writes', async () => {
    const { exit, text } = await create();
    expect(exit, text).toBe(0);
    const status = JSON.parse(await member('node2', 'endpoint status --cluster -w json'));
    const leaders = new Set(status.map(({ Status }: { Status: { leader: number } }) => Status.leader));
    expect([status.length, leaders.size]).toEqual([3, 1]);
    await member('node1', 'put there yes');
    expect(await member('node3', 'get there --print-value-only')).toBe('yes');
  });

  it('requires client certificates and protects private keys', async () => {
    const { stdout } = await ssh(
      lab,
      'node1',
      `curl -s -m 5 --cacert ${SSL}/ca.pem https://127.0.0.1:2379/health; echo $?`,
    );
    // curl receives the TLS alert while writing or while reading.
    expect(stdout.trim()).toMatch(/^5[56]$/);
    expect(await sshText(lab, 'node1', `curl -sf ${CLIENT} https://127.0.0.1:2379/health`)).toContain(
      '"health":"true"',
    );
    expect(await sshText(lab, 'node1', `cd ${SSL}; stat -c '%a %U %n' *-key.pem; stat -c '%a %U' /var/lib/etcd`)).toBe(
      '600 root admin-node1-key.pem\n600 etcd member-node1-key.pem\n600 root node-key.pem\n600 etcd peer-node1-key.pem\n700 etcd',
    );
    expect(await sshText(lab, 'node2', `ls ${SSL}`)).not.toContain('node-key.pem');
    expect(await sshText(lab, 'node2', 'ps -o user= -C etcd')).toBe('etcd');
  });

  it('changes nothing on a re-run', async () => {
    const now = await states();
    const { exit, text } = await create();
    expect(exit, text).toBe(0);
    expect(text).toContain('Nothing to do');
    expect(await states()).toEqual(now);
  });

  it('applies new settings one member at a time, without failed writes', async () => {
    await settings({ logLevel: 'warn' });
    const writes = sshText(
      lab,
      'node1',
      `end=$(($(date +%s) + 25)); n=0; bad=0; while [ $(date +%s) -lt $end ]; do
curl -sf -m 8 ${CLIENT} -X POST -d '{"key":"YQ==","value":"YQ=="}' https://${lab.machines[1]!.address}:2379/v3/kv/put >/dev/null || curl -sf -m 8 ${CLIENT} -X POST -d '{"key":"YQ==","value":"YQ=="}' https://${lab.machines[2]!.address}:2379/v3/kv/put >/dev/null || bad=$((bad + 1)); n=$((n + 1)); done; echo $n $bad`,
    );
    const { exit, text } = await create();
    expect(exit, text).toBe(0);
    const [done, failed] = (await writes).split(' ').map(Number);
    expect(done).toBeGreaterThan(10);
    expect(failed).toBe(0);
    for (const node of NODES)
      expect(await sshText(lab, node, 'tr "\\0" "\\n" </proc/$(pidof etcd)/environ')).toContain('ETCD_LOG_LEVEL=warn');
  });

  it('restarts a stopped member', async () => {
    await sshText(lab, 'node2', 'systemctl disable --now etcd');
    const { exit, text } = await create();
    expect(exit, text).toBe(0);
    expect(await sshText(lab, 'node2', 'systemctl is-enabled etcd; systemctl is-active etcd')).toBe('enabled\nactive');
  });

  it('serves the masters of another cluster as external etcd', async () => {
    const folder = join(lab.paths.folder, '.kubexm', name, 'certs/etcd');
    const useExternal = (port: number) =>
      trial.write(
        (spec) => ({
          ...spec,
          roleGroups: { master: ['node2'], worker: ['node3'] },
          etcd: {
            type: 'external',
            external: {
              endpoints: lab.machines.map(({ address }) => `https://${address}:${port}`),
              caFile: join(folder, 'ca.crt'),
              certFile: join(folder, 'node.crt'),
              keyFile: join(folder, 'node.key'),
            },
          },
        }),
        'other',
      );
    const keys = () => sshText(lab, 'node2', `ls ${SSL} | grep ^node; true`);
    await useExternal(2399);
    const refused = await create();
    expect(refused.exit).toBe(10);
    expect(refused.text).toContain('ETCD_UNREACHABLE');
    expect(await keys()).toBe('');
    await useExternal(2379);
    const reached = await create();
    expect(reached.exit, reached.text).toBe(0);
    expect(await keys()).toBe('node-key.pem\nnode.pem');
    expect((await create()).text).toContain('Nothing to do');
    const { exit, text } = await trial.remove(uninstallEtcdModule({ preserveData: false }));
    expect(exit, text).toBe(0);
    expect(await keys()).toBe('');
    await settings({ logLevel: 'warn' });
  });

  it('preserves its data on request and reuses it', async () => {
    const { exit, text } = await trial.remove(uninstallEtcdModule({ preserveData: true }));
    expect(exit, text).toBe(0);
    expect(await sshText(lab, 'node1', 'ls /var/lib/etcd; id etcd 2>&1 | grep -c "no such user"')).toBe('member\n1');
    const again = await create();
    expect(again.exit, again.text).toBe(0);
    expect(await member('node3', 'get there --print-value-only')).toBe('yes');
  });

  it('reports a port in use and rolls back', async () => {
    await trial.remove(uninstallEtcdModule({ preserveData: true }));
    await sshText(
      lab,
      'node3',
      'rm -rf /var/lib/etcd; systemd-run -q --unit taken socat TCP-LISTEN:2380,fork /dev/null',
    );
    const { exit, text } = await create();
    expect(exit).not.toBe(0);
    expect(text).toMatch(/SERVICE_FAILED|address already in use/);
    expect(await sshText(lab, 'node1', 'ls /etc/systemd/system/ | grep etcd; true')).toBe('');
    await sshText(lab, 'node3', 'systemctl stop taken; systemctl reset-failed taken');
    for (const node of NODES) await sshText(lab, node, 'rm -rf /var/lib/etcd');
  });

  it('restores the machines to their original state', async () => {
    const made = await create();
    expect(made.exit, made.text).toBe(0);
    const { exit, text } = await trial.remove(uninstallEtcdModule({ preserveData: false }));
    expect(exit, text).toBe(0);
    expect(await states()).toEqual(before);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ClusterHost } from '../../../../src/config/model/cluster.ts';
import { findCleanup } from '../../../../src/runtime/membership/find-cleanup.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { recordedCluster } from '../recorded-cluster.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Looks up the cleanup of a removed host that differs from the last host of the cluster in these fields. */
async function cleanUp(removed: Partial<ClusterHost>) {
  const recorded = await recordedCluster();
  const last = recorded.cluster.hosts.at(-1)!;
  const host = { ...last, name: 'node9', internalAddresses: ['10.0.0.19'] as const, ...removed };
  const cluster = { ...recorded.cluster, hosts: [...recorded.cluster.hosts, host] };
  const workdir = mkdtempSync(join(tmpdir(), 'kubexm-'));
  folders.push(workdir);
  const session = { ...recorded.session, cluster, hosts: hostsOf(cluster) };
  return findCleanup(session, 'node9', { workdir, signal: new AbortController().signal });
}

const elsewhere = (host: ClusterHost) => ({ ...host.login, address: '10.0.0.19' });

describe('the cleanup of a removed host', () => {
  it('resets only this host', async () => {
    const { cluster } = await recordedCluster();
    const login = elsewhere(cluster.hosts.at(-1)!);
    expect(await cleanUp({ login })).toMatchObject({ reset: ['node9'] });
  });

  it('is refused if the machine is in the cluster again under another name', async () => {
    const { cluster } = await recordedCluster();
    const last = cluster.hosts.at(-1)!;
    const login = elsewhere(last);
    const refusal = { code: 'HOST_STILL_MEMBER', message: expect.stringContaining(last.name) };
    await expect(cleanUp({ login, internalAddresses: last.internalAddresses })).rejects.toMatchObject(refusal);
    await expect(cleanUp({ login: last.login })).rejects.toMatchObject(refusal);
  });
});

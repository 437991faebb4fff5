import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { knownHosts } from '../../../src/connector/known-hosts.ts';
import { sshConnector } from '../../../src/connector/ssh.ts';
import { startSshServer } from '../../fake/ssh-server.ts';

/** A connector to an SSH server on this computer that runs scripts in real shells. */
async function connect() {
  const folder = mkdtempSync(join(tmpdir(), 'kubexm-shell-'));
  const server = await startSshServer({ address: '127.0.0.1', password: 'test-only' });
  const login = { user: 'root', password: new Secret('test-only'), timeoutMs: 20_000 };
  const target = { name: 'node1', address: '127.0.0.1', port: server.port, ...login };
  const connector = sshConnector(target, knownHosts(join(folder, 'known_hosts')));
  onTestFinished(async () => {
    await connector[Symbol.asyncDispose]();
    server[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const shellOf = async () => Number((await connector.query('echo $$')).stdout);
  return { connector, folder, shellOf };
}

it('runs one query after another in the same shell', async () => {
  const { connector, shellOf } = await connect();
  const shells = [await shellOf(), await shellOf(), await shellOf()];
  expect(new Set(shells).size).toBe(1);
  expect(connector.roundTrips).toBe(3);
});

it('runs queries of different ticks at the same time, each in its own shell', async () => {
  const { connector, folder } = await connect();
  const first = connector.query(`until [ -e ${folder}/second ]; do sleep 0.02; done; echo $$`);
  await new Promise((resolve) => setImmediate(resolve));
  const second = await connector.query(`: >${folder}/second; echo $$`);
  expect((await first).stdout).not.toBe(second.stdout);
});

it('keeps what a query does to its shell from the next one', async () => {
  const { connector } = await connect();
  const { exit } = await connector.query('cd /tmp; umask 077; x=1; cat() { echo mine; }; exec 2>/dev/null; exit 3');
  const { stdout, stderr } = await connector.query('pwd; umask; echo ${x-unset}; cat; echo problem >&2');
  expect(exit).toBe(3);
  expect({ stdout, stderr }).toEqual({ stdout: '/\n0022\nunset\n', stderr: 'problem\n' });
});

it('replaces a shell that the host ended while it was waiting', async () => {
  const { shellOf } = await connect();
  const first = await shellOf();
  process.kill(first, 'SIGKILL');
  const second = await shellOf();
  expect(second).toBeGreaterThan(0);
  expect(second).not.toBe(first);
});

it('reports a query that ends its own shell', async () => {
  const { connector, shellOf } = await connect();
  await shellOf();
  await expect(connector.query('kill -KILL $$')).rejects.toMatchObject({ code: 'COMMAND_LOST' });
});

it('closes the shell of an aborted query, and starts another one', async () => {
  const { connector, shellOf } = await connect();
  const first = await shellOf();
  const controller = new AbortController();
  const endless = connector.query('sleep 600', { signal: controller.signal });
  setImmediate(() => controller.abort(new Error('time is up')));
  await expect(endless).rejects.toThrow('time is up');
  expect(await shellOf()).not.toBe(first);
});

it('gives up a waiting shell when commands need all channels', async () => {
  const { connector, folder, shellOf } = await connect();
  await shellOf();
  const count = `$(ls ${folder} | grep -c ^command)`;
  const commands = Array.from({ length: 8 }, (_, at) =>
    connector.exec(`: >${folder}/command${at}; until [ ${count} = 8 ]; do sleep 0.05; done`),
  );
  expect((await Promise.all(commands)).map(({ exit }) => exit)).toEqual(Array(8).fill(0));
});

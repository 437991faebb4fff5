import { getEventListeners, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type Connection } from 'ssh2';
import { afterAll, expect, it, vi } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { openSocket } from '../../../src/connector/connection-slots.ts';
import { knownHosts } from '../../../src/connector/known-hosts.ts';
import { SshConnection } from '../../../src/connector/ssh-connection.ts';
import type { Target } from '../../../src/connector/target.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-slots-'));
const known = knownHosts(join(folder, 'known_hosts'));
const { private: hostKey } = ssh2.utils.generateKeyPairSync('ed25519');
const servers: { close(): unknown }[] = [];
const open: SshConnection[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

/** A host that lets `admit` decide when a login is accepted. */
async function host(admit: (client: Connection) => Promise<void>) {
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => {});
    const admitted = admit(client);
    client.on(
      'authentication',
      (ctx) => void admitted.then(() => (ctx.method === 'password' ? ctx.accept() : ctx.reject(['password']))),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return portOf(server.address());
}

function connectionTo(port: number, timeoutMs = 60_000): SshConnection {
  const target: Target = {
    name: 'node1',
    address: '127.0.0.1',
    port,
    user: 'root',
    password: new Secret('test-only'),
    timeoutMs,
  };
  const connection = new SshConnection(target, known, undefined);
  open.push(connection);
  return connection;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('no TCP address');
  return address.port;
}

const closeAll = () => Promise.all(open.splice(0).map((connection) => connection.close()));

it('logs in to at most 64 hosts at the same time', async () => {
  let [now, most] = [0, 0];
  const port = await host(async (client) => {
    most = Math.max(most, ++now);
    client.once('ready', () => (now -= 1));
  });
  await Promise.all(Array.from({ length: 200 }, () => connectionTo(port).client()));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(64);
  await closeAll();
});

it('excludes the wait for a slot from the timeout of a host', async () => {
  let admit = () => {};
  const admitted = new Promise<void>((resolve) => (admit = resolve));
  let begun = 0;
  const slow = await host(() => ((begun += 1), admitted));
  const others = Array.from({ length: 64 }, () => connectionTo(slow).client());
  await vi.waitUntil(() => begun === 64, { timeout: 30_000 });

  const fast = await host(() => Promise.resolve());
  let dropped = false;
  // Drops the first connection, so that the login needs a second attempt after its time in the queue.
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (first) => {
      if (!dropped) return void ((dropped = true), socket.destroy());
      const inner = createConnection({ host: '127.0.0.1', port: fast });
      inner.write(first);
      socket.pipe(inner).pipe(socket);
    });
  }).listen(0, '127.0.0.1');
  servers.push(proxy);
  await once(proxy, 'listening');
  const started = performance.now();
  const last = connectionTo(portOf(proxy.address()), 1000).client();
  await vi.waitUntil(() => performance.now() - started > 1200, { timeout: 30_000 });
  expect(dropped).toBe(false);
  admit();
  await Promise.all([...others, last]);
  expect(dropped).toBe(true);
  await closeAll();
});

it('leaves no listener behind for each failed attempt', async () => {
  const port = await host(() => Promise.resolve());
  servers.pop()?.close();
  const { signal } = new AbortController();
  for (let attempt = 0; attempt < 12; attempt++)
    await expect(openSocket({ address: '127.0.0.1', port }, 1000, signal)).rejects.toThrow('ECONNREFUSED');
  await vi.waitUntil(() => getEventListeners(signal, 'abort').length === 0);
});

it('closes the connection when it is aborted', async () => {
  const port = await host(() => new Promise(() => {}));
  const stop = new AbortController();
  const socket = await openSocket({ address: '127.0.0.1', port }, 1000, stop.signal);
  stop.abort();
  expect(socket.destroyed).toBe(true);
});

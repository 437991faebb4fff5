import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { BALANCER_HEALTH_PORT } from '../../../src/config/model/ports.ts';
import { apiCheckScript, runningCheckScript } from '../../../src/template/load-balancer/health-check.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-check-'));
const marker = join(folder, 'marker');
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a server on a free port of loopback. */
async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** A proxy whose health endpoint returns this status. */
const proxy = (status: number) =>
  listen(createHttpServer((_, response) => response.writeHead(status, { connection: 'close' }).end()));

async function exitOf(script: string, healthPort: number): Promise<number | null> {
  const text = script.replaceAll(`/127.0.0.1/${BALANCER_HEALTH_PORT}`, `/127.0.0.1/${healthPort}`);
  const child = spawn('bash', ['-c', text], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.exitCode;
}

describe('the check whether the load balancer runs', () => {
  it('succeeds for any response, also without an API server', async () => {
    expect(await exitOf(runningCheckScript(), await proxy(200))).toBe(0);
    expect(await exitOf(runningCheckScript(), await proxy(503))).toBe(0);
  });

  it('fails if nothing responds', async () => expect(await exitOf(runningCheckScript(), await closedPort())).toBe(1));
});

describe('the check whether the load balancer reaches an API server', () => {
  const haproxy = apiCheckScript({ marker, connectTo: [] });
  const nginx = (port: number) =>
    apiCheckScript({ marker, connectTo: [{ name: 'node1', address: `127.0.0.1:${port}` }] });

  it('succeeds until the cluster has a control plane', async () => {
    rmSync(marker, { force: true });
    expect(await exitOf(haproxy, await proxy(503))).toBe(0);
    expect(await exitOf(nginx(await closedPort()), await proxy(200))).toBe(0);
  });

  it('depends on the status that haproxy reports', async () => {
    writeFileSync(marker, '');
    expect(await exitOf(haproxy, await proxy(200))).toBe(0);
    expect(await exitOf(haproxy, await proxy(503))).toBe(1);
  });

  it('connects to the API servers behind nginx', async () => {
    writeFileSync(marker, '');
    const port = await listen(createServer((socket) => socket.destroy()));
    expect(await exitOf(nginx(port), await proxy(200))).toBe(0);
    expect(await exitOf(nginx(await closedPort()), await proxy(200))).toBe(1);
  });

  it('leaves it to the other check to report a proxy that does not run', async () => {
    writeFileSync(marker, '');
    expect(await exitOf(haproxy, await closedPort())).toBe(0);
  });

  it('connects to IPv6 addresses', () =>
    expect(apiCheckScript({ marker, connectTo: [{ name: 'node1', address: '[fd00::1]:6443' }] })).toContain(
      'for at in fd00::1/6443;',
    ));
});

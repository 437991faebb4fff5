import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { describe, expect, it } from 'vitest';
import { PERL_LISTENER, PYTHON_LISTENER } from '../../../../../src/step/preflight/connectivity/listener.ts';

const programs = [
  ['perl', ['-e', PERL_LISTENER]],
  ['python3', ['-c', PYTHON_LISTENER]],
] as const;

describe.each(programs)('a listener in %s', (program, args) => {
  const listen = (...want: readonly string[]) =>
    execFileSync(program, [...args, 'node7', '60', ...want], { encoding: 'utf8', timeout: 120_000 });

  it('answers with the host name until all expected calls have arrived', async () => {
    const [tcp, udp] = [await freePort(), await freePort()];
    expect(listen(`tcp:${tcp}`, `udp:${udp}`)).toBe(`tcp ${tcp} free\nudp ${udp} free\ncontrol ${tcp}\n`);
    const talk = connect(tcp, '127.0.0.1');
    expect(String(await once(talk, 'data'))).toBe('kubexm node7\n');
    talk.end('end 2\n');
    expect(await answerOf(udp)).toBe('kubexm node7\n');
    expect(await isTaken(tcp)).toBe(true);
    expect(await answerOf(udp)).toBe('kubexm node7\n');
    await expect.poll(() => isTaken(tcp), { timeout: 120_000 }).toBe(false);
  });

  it('reports taken ports, and has a recognizable process name', async () => {
    const [mine, theirs] = [await freePort(), await freePort()];
    const server = await serverOn(theirs);
    expect(listen(`tcp:${theirs}`, `tcp:${mine}`)).toBe(`tcp ${theirs} taken\ntcp ${mine} free\ncontrol ${mine}\n`);
    server.close();
    expect(processNames()).toContain('kubexm-check\n');
    connect(mine, '127.0.0.1').end('end 0\n').resume();
    await expect.poll(() => isTaken(mine), { timeout: 120_000 }).toBe(false);
  });

  it('does not stay in the background if it cannot listen on any port', async () => {
    const port = await freePort();
    const server = await serverOn(port);
    expect(listen(`tcp:${port}`)).toBe(`tcp ${port} taken\n`);
    server.close();
  });
});

const processNames = () =>
  readdirSync('/proc').map((entry) => {
    try {
      return readFileSync(`/proc/${entry}/comm`, 'utf8');
    } catch {
      return 'not a process, or it has ended';
    }
  });

async function serverOn(port: number): Promise<Server> {
  const server = createServer((socket) => void socket.on('error', () => {}).end());
  server.listen(port);
  await once(server, 'listening');
  return server;
}

async function freePort(): Promise<number> {
  const server = await serverOn(0);
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(true));
    server.listen(port, () => server.close(() => resolve(false)));
  });

async function answerOf(port: number): Promise<string> {
  const socket = createSocket('udp4');
  socket.send('x', port, '127.0.0.1');
  const [answer] = await once(socket, 'message');
  socket.close();
  return String(answer);
}

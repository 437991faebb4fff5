import { createServer, type Server } from 'node:net';
import ssh2 from 'ssh2';
import { serveShell, type Backend } from './shell-server.ts';

/** Real SSH servers of many hosts on one port: the address that a client connects to decides which host answers. */
export async function serveHosts(port: number, backendOf: (address: string) => Backend | undefined): Promise<Server> {
  const { private: hostKey } = ssh2.utils.generateKeyPairSync('ed25519');
  const server = createServer((socket) => {
    const backend = backendOf(socket.localAddress ?? '');
    socket.on('error', () => {});
    if (!backend) return void socket.destroy();
    socket.setNoDelay(true);
    const ssh = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => {});
      client.on('authentication', (ctx) => (ctx.method === 'password' ? ctx.accept() : ctx.reject(['password'])));
      client.on('session', (accept) => {
        accept().on('exec', (acceptExec, _reject, { command }) => serveShell(acceptExec(), command, backend));
      });
    });
    ssh.injectSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen({ port, host: '0.0.0.0', backlog: 4096 }, resolve));
  return server;
}

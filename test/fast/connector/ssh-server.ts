import { once } from 'node:events';
import { createConnection } from 'node:net';
import ssh2, { type Connection, type ServerConfig } from 'ssh2';

/** A login attempt with a password or a key. */
export interface LoginAttempt {
  readonly method: string;
  readonly user: string;
  readonly password?: string;
}

/** An SSH server on loopback that records login attempts. */
export interface SshServer extends AsyncDisposable {
  readonly port: number;
  readonly attempts: readonly LoginAttempt[];
}

/** Options of an SSH server. */
export interface SshServerOptions {
  /** Accepts this password. */
  readonly password?: string;
  /** Accepts any key. */
  readonly anyKey?: boolean;
  readonly hostKey?: string;
  readonly algorithms?: ServerConfig['algorithms'];
}

/** Starts an SSH server that runs no commands, but forwards connections as a jump host does. */
export async function sshServer(options: SshServerOptions): Promise<SshServer> {
  const attempts: LoginAttempt[] = [];
  const hostKey = options.hostKey ?? ssh2.utils.generateKeyPairSync('ed25519').private;
  const clients = new Set<Connection>();
  const config = { hostKeys: [hostKey], ...(options.algorithms && { algorithms: options.algorithms }) };
  const server = new ssh2.Server(config, (client) => {
    clients.add(client);
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    client.on('authentication', (ctx) => {
      if (ctx.method === 'none') return ctx.reject(['password', 'publickey']);
      attempts.push({
        method: ctx.method,
        user: ctx.username,
        ...(ctx.method === 'password' && { password: ctx.password }),
      });
      const accepted =
        (ctx.method === 'password' && ctx.password === options.password) ||
        (ctx.method === 'publickey' && options.anyKey === true);
      if (accepted) ctx.accept();
      else ctx.reject(['password', 'publickey']);
    });
    client.on('tcpip', (accept, _reject, { destIP, destPort }) => {
      const socket = createConnection(destPort, destIP);
      const stream = accept();
      stream.pipe(socket).pipe(stream);
      for (const end of [socket, stream]) end.on('error', () => {});
    });
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec) => {
        const channel = acceptExec();
        channel.exit(0);
        channel.end();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'string' || address === null) throw new TypeError('no TCP address');
  return {
    port: address.port,
    attempts,
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

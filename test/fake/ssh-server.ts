import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import ssh2, { type Connection, type ServerChannel } from 'ssh2';

const { Server, utils } = ssh2;

/** Where a local SSH server listens. */
export interface SshServerOptions {
  /** An address of the loopback interface: "127.0.0.2" */
  readonly address: string;
  /** Without a password, every public key is accepted. */
  readonly password?: string;
  /** The environment of the commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether TCP forwarding is allowed, as AllowTcpForwarding of sshd. */
  readonly forwarding?: boolean;
}

/** A running server; disposing stops it and drops its connections. */
export interface SshServer extends Disposable {
  readonly port: number;
}

/** Starts an SSH server on this computer that runs commands in /bin/sh, as a host would. */
export async function startSshServer({
  address,
  password,
  env = {},
  forwarding = true,
}: SshServerOptions): Promise<SshServer> {
  const hostKey = newHostKey();
  const clients = new Set<Connection>();
  const server = new Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client);
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    client.on('authentication', (login) => {
      const isAllowed =
        password === undefined
          ? login.method === 'publickey'
          : login.method === 'password' && login.password === password;
      if (isAllowed) login.accept();
      else login.reject([password === undefined ? 'publickey' : 'password']);
    });
    // Without a listener, ssh2 responds as sshd does: administratively prohibited.
    if (forwarding) client.on('tcpip', forward);
    client.on('session', (acceptSession) => {
      acceptSession().on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec();
        const child = spawn('/bin/sh', ['-c', command], { env: { ...process.env, ...env } });
        child.stdin.on('error', () => {});
        channel.pipe(child.stdin);
        child.stdout.pipe(channel, { end: false });
        child.stderr.pipe(channel.stderr, { end: false });
        child.once('close', (code) => {
          channel.exit(code ?? 1);
          channel.end();
        });
      });
    });
  });
  server.listen(0, address);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('the server has no TCP address');
  const stop = () => {
    server.close();
    for (const client of clients) client.end();
  };
  return { port: bound.port, [Symbol.dispose]: stop };
}

/** ssh2 writes about one of 250 keys in a form that it cannot read itself. */
function newHostKey(): string {
  const { private: key } = utils.generateKeyPairSync('ed25519');
  return utils.parseKey(key) instanceof Error ? newHostKey() : key;
}

/** Forwards a connection as sshd does; reason 2 if nothing listens. */
function forward(
  accept: () => ServerChannel,
  reject: () => void,
  to: { readonly destIP: string; readonly destPort: number },
) {
  const socket = createConnection(to.destPort, to.destIP);
  socket.once('error', () => reject());
  socket.once('connect', () => {
    const stream = accept();
    stream.pipe(socket).pipe(stream);
    for (const end of [socket, stream]) end.on('error', () => {});
    socket.once('close', () => stream.end());
    stream.once('close', () => socket.destroy());
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientChannel } from 'ssh2';
import { fail, KubexmError } from '../common/errors/errors.ts';
import type { Connector } from './connector.ts';
import { hostConnector } from './host-connector.ts';
import { shareJumpHost } from './jump-host.ts';
import type { KnownHosts } from './known-hosts.ts';
import { SshConnection } from './ssh-connection.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import type { Target } from './target.ts';
import type { Channel, IdleChannel, Transport } from './transport.ts';
import { sshTunnel } from './tunnel.ts';

/** A connector over SSH. It uses one connection, opened when first needed. */
export function sshConnector(target: Target, known: KnownHosts): Connector {
  const jump = target.jump && shareJumpHost(target.jump, known);
  const connection = new SshConnection(target, known, jump?.connection);
  const idle = new Set<IdleChannel>();
  const closeIdle = () => {
    for (const channel of idle) if (channel.claim()) channel.close();
  };
  const channels = createSemaphore(MAX_CHANNELS, closeIdle);
  return hostConnector(
    Object.freeze<Transport>({
      host: target.name,
      user: target.user,
      sudoPassword: target.sudoPassword ?? target.password,
      open: (command, signal) => openChannel(connection, channels, command, signal),
      openIdle: (command) => openIdle(connection, channels, idle, command),
      async checkNewConnection(signal) {
        const second = new SshConnection(target, known, jump?.connection);
        try {
          await second.client(signal);
        } finally {
          await second.close();
        }
      },
      tunnel: (port, signal) => sshTunnel(connection, port, signal),
      async close() {
        closeIdle();
        // Data just sent, such as the `done` of a finished script, may still be in flight.
        await Promise.race([channels.idle(), sleep(CLOSING_MS, undefined, { ref: false })]);
        await connection.close();
        await jump?.release();
      },
    }),
  );
}

async function openChannel(
  connection: SshConnection,
  channels: Semaphore,
  command: string,
  signal: AbortSignal | undefined,
): Promise<Channel> {
  for (let refusals = 0; ;) {
    await channels.acquire(signal);
    try {
      const client = await connection.client(signal);
      signal?.throwIfAborted();
      const channel = channelOf(client, await exec(client, command));
      void channel.closed.then(() => channels.release());
      return channel;
    } catch (error) {
      const refused = isRefused(error);
      const othersOpen = refused && channels.lowerLimit();
      channels.release();
      if (!refused) throw error instanceof KubexmError || signal?.aborted ? error : connectionLost(connection, error);
      if (othersOpen) continue;
      // The host may not have noticed yet that the last channel is closed.
      if (++refusals > MAX_REFUSALS) throw connectionLost(connection, error);
      await sleep(50 * refusals);
    }
  }
}

/** Opens a channel in advance; it is closed if another channel has to wait for a slot. */
async function openIdle(
  connection: SshConnection,
  channels: Semaphore,
  idle: Set<IdleChannel>,
  command: string,
): Promise<IdleChannel | undefined> {
  if (!channels.tryAcquire()) return undefined;
  try {
    const client = await connection.client();
    const channel = channelOf(client, await exec(client, command));
    const idleChannel: IdleChannel = { ...channel, claim: () => idle.delete(idleChannel) };
    idle.add(idleChannel);
    void channel.closed.then(() => {
      idle.delete(idleChannel);
      return channels.release();
    });
    return idleChannel;
  } catch (error) {
    if (isRefused(error)) channels.lowerLimit();
    channels.release();
    return undefined;
  }
}

const exec = (client: Client, command: string): Promise<ClientChannel> =>
  new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)));
  });

function channelOf(client: Client, channel: ClientChannel): Channel {
  const closed = new Promise<number | undefined>((resolve) => {
    const onDrop = () => resolve(undefined);
    client.once('close', onDrop);
    channel.once('close', (code?: number | null) => {
      client.off('close', onDrop);
      resolve(code === null ? KILLED : code);
    });
  });
  return { stdin: channel.stdin, stdout: channel.stdout, stderr: channel.stderr, closed, close: () => channel.close() };
}

/** The host refused another channel, for example because of MaxSessions. */
const isRefused = (error: unknown) => error instanceof Error && 'reason' in error && typeof error.reason === 'number';

const connectionLost = (connection: SshConnection, error: unknown) =>
  fail(
    'CONNECTION_LOST',
    {
      host: connection.target.name,
      doing: 'the start of a command',
      reason: error instanceof Error ? error.message : String(error),
    },
    error,
  );

// The default MaxSessions of sshd is 10; two are left for other use.
const MAX_CHANNELS = 8;
const MAX_REFUSALS = 8;
const CLOSING_MS = 2000;
const KILLED = 137;

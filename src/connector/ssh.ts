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
import type { Channel, Transport } from './transport.ts';
import { sshTunnel } from './tunnel.ts';

/** Creates a connector over SSH. Uses one connection, which is opened on first use. */
export function sshConnector(target: Target, known: KnownHosts): Connector {
  const jump = target.jump && shareJumpHost(target.jump, known);
  const connection = new SshConnection(target, known, jump?.connection);
  const channels = createChannels();
  return hostConnector(
    Object.freeze<Transport>({
      host: target.name,
      user: target.user,
      sudoPassword: target.sudoPassword ?? target.password,
      open: (command, signal) => openChannel(connection, channels, command, signal),
      openParked: (command) => openParked(connection, channels, command),
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
        channels.closeParked();
        // Recently sent data, such as the `done` of a finished script, may still be in transit.
        await Promise.race([channels.slots.idle(), sleep(CLOSING_MS, undefined, { ref: false })]);
        await connection.close();
        await jump?.release();
      },
    }),
  );
}

/** The channels of one connection. */
interface Channels {
  readonly slots: Semaphore;
  readonly parked: Set<Channel>;
  closeParked(): void;
}

function createChannels(): Channels {
  const parked = new Set<Channel>();
  const closeParked = () => {
    for (const channel of parked) if (parked.delete(channel)) channel.close();
  };
  return { slots: createSemaphore(MAX_CHANNELS, closeParked), parked, closeParked };
}

async function openChannel(
  connection: SshConnection,
  channels: Channels,
  command: string,
  signal: AbortSignal | undefined,
): Promise<Channel> {
  for (let refusals = 0; ;) {
    await channels.slots.acquire(signal);
    try {
      const client = await connection.client(signal);
      signal?.throwIfAborted();
      return inSlot(channels, channelOf(client, await exec(client, command)));
    } catch (error) {
      const refused = isRefused(error);
      const othersOpen = refused && channels.slots.lowerLimit();
      channels.slots.release();
      if (!refused) throw error instanceof KubexmError || signal?.aborted ? error : connectionLost(connection, error);
      if (othersOpen) continue;
      // The host may not have noticed yet that the previous channel is closed.
      if (++refusals > MAX_REFUSALS) throw connectionLost(connection, error);
      await sleep(50 * refusals);
    }
  }
}

/** Opens a channel in advance. The channel is closed if another one has to wait for a slot. */
async function openParked(
  connection: SshConnection,
  channels: Channels,
  command: string,
): Promise<Channel | undefined> {
  const { slots } = channels;
  if (!slots.tryAcquire()) return undefined;
  try {
    const client = await connection.client();
    const channel = inSlot(channels, channelOf(client, await exec(client, command)));
    channel.parking?.park();
    return channel;
  } catch (error) {
    if (isRefused(error)) slots.lowerLimit();
    slots.release();
    return undefined;
  }
}

/** Makes a channel parkable. Its slot is released when the channel closes. */
function inSlot({ slots, parked }: Channels, open: Channel): Channel {
  const channel: Channel = {
    ...open,
    parking: {
      park: () => void (slots.hasWaiters() ? open.close() : parked.add(channel)),
      claim: () => parked.delete(channel),
    },
  };
  void open.closed.then(() => {
    parked.delete(channel);
    return slots.release();
  });
  return channel;
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

/** Returns whether the host refused another channel, for example because of MaxSessions. */
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

// The default MaxSessions in sshd is 10. Two sessions are reserved for other uses.
const MAX_CHANNELS = 8;
const MAX_REFUSALS = 8;
const CLOSING_MS = 2000;
const KILLED = 137;

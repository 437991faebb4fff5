import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientChannel } from 'ssh2';
import { fail, KubexmError } from '../common/errors/errors.ts';
import type { Connector } from './connector.ts';
import { hostConnector } from './host-connector.ts';
import { shareJumpHost } from './jump-host.ts';
import type { KnownHosts } from './known-hosts.ts';
import { SshConnection } from './ssh-connection.ts';
import { slots, type Slots } from './slots.ts';
import type { Target } from './target.ts';
import type { Channel, IdleChannel } from './transport.ts';

/** Reaches a host over SSH, by one connection that is made when it is first needed. */
export function sshConnector(target: Target, known: KnownHosts): Connector {
  const jump = target.jump && shareJumpHost(target.jump, known);
  const link = new SshConnection(target, known, jump?.link);
  const spares = new Set<IdleChannel>();
  const dismiss = () => {
    for (const spare of spares) if (spare.claim()) spare.close();
  };
  const channels = slots(MOST_CHANNELS, dismiss);
  return hostConnector(
    Object.freeze({
      host: target.name,
      user: target.user,
      sudoPassword: target.sudoPassword ?? target.password,
      open: (command: string, signal?: AbortSignal) => openChannel(link, channels, command, signal),
      openSpare: (command: string) => openSpare(link, channels, spares, command),
      async knock(signal?: AbortSignal) {
        const another = new SshConnection(target, known, jump?.link);
        try {
          await another.client(signal);
        } finally {
          await another.close();
        }
      },
      async close() {
        dismiss();
        // What was just told the host, such as to forget a command that ended, is still on its way.
        await Promise.race([channels.idle(), sleep(CLOSING_MS, undefined, { ref: false })]);
        await link.close();
        await jump?.release();
      },
    }),
  );
}

async function openChannel(
  link: SshConnection,
  channels: Slots,
  command: string,
  signal: AbortSignal | undefined,
): Promise<Channel> {
  for (let alone = 0; ;) {
    await channels.take(signal);
    try {
      const client = await link.client(signal);
      signal?.throwIfAborted();
      const channel = channelOf(client, await exec(client, command));
      void channel.closed.then(() => channels.free());
      return channel;
    } catch (error) {
      const refused = isRefused(error);
      const othersOpen = refused && channels.shrink();
      channels.free();
      if (!refused) throw error instanceof KubexmError || signal?.aborted ? error : lost(link, error);
      // The host may not have noticed yet that the last one is closed.
      if (!othersOpen && ++alone > REFUSALS_ALONE) throw lost(link, error);
      if (!othersOpen) await sleep(50 * alone);
    }
  }
}

/** Opens a channel for later; it gives way when somebody has to wait for a place. */
async function openSpare(
  link: SshConnection,
  channels: Slots,
  spares: Set<IdleChannel>,
  command: string,
): Promise<IdleChannel | undefined> {
  if (!channels.tryTake()) return undefined;
  try {
    const client = await link.client();
    const channel = channelOf(client, await exec(client, command));
    const spare: IdleChannel = { ...channel, claim: () => spares.delete(spare) };
    spares.add(spare);
    void channel.closed.then(() => {
      spares.delete(spare);
      return channels.free();
    });
    return spare;
  } catch (error) {
    if (isRefused(error)) channels.shrink();
    channels.free();
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

/** The host itself said no to one more channel, as one with MaxSessions does. */
const isRefused = (error: unknown) => error instanceof Error && 'reason' in error && typeof error.reason === 'number';

const lost = (link: SshConnection, error: unknown) =>
  fail(
    'CONNECTION_LOST',
    {
      host: link.target.name,
      doing: 'the start of a command',
      reason: error instanceof Error ? error.message : String(error),
    },
    error,
  );

// sshd lets 10 through if not told otherwise; a few are left for people.
const MOST_CHANNELS = 8;
const REFUSALS_ALONE = 8;
const CLOSING_MS = 2000;
const KILLED = 137;

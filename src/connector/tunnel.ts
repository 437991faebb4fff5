import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { fail, KubexmError } from '../common/errors/errors.ts';
import { abortable } from './abortable.ts';
import type { SshConnection } from './ssh-connection.ts';

/** Connects to a port on the loopback address of a host through its SSH connection. Does not use an SSH session. */
export async function sshTunnel(connection: SshConnection, port: number, signal?: AbortSignal): Promise<Duplex> {
  const { name: host } = connection.target;
  const client = await connection.client(signal);
  const opening = new Promise<Duplex>((resolve, reject) => {
    const onDrop = () => reject(fail('CONNECTION_LOST', { host, doing: 'a tunnel', reason: 'the connection dropped' }));
    client.once('close', onDrop);
    client.forwardOut(LOOPBACK, 0, LOOPBACK, port, (error, stream) => {
      client.off('close', onDrop);
      if (error) return reject(error instanceof KubexmError ? error : refused(host, port, error));
      const onClose = () => stream.destroy();
      client.once('close', onClose);
      stream.once('close', () => client.off('close', onClose));
      resolve(stream);
    });
  });
  return abortable(opening, signal).catch((error: unknown) => {
    // A stream that opens after the abort would remain open.
    void opening.then((stream) => stream.destroy()).catch(() => {});
    throw error;
  });
}

/** Connects to a port on the loopback address of this machine. */
export function localTunnel(port: number, signal?: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const socket = connect(port, LOOPBACK);
    const onAbort = () => socket.destroy(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const onError = (error: Error) => reject(signal?.aborted ? signal.reason : refused('this machine', port, error));
    socket.once('error', onError);
    socket.once('connect', () => {
      signal?.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

const LOOPBACK = '127.0.0.1';

/**
 * Creates the error for a refused channel. sshd responds with reason 1 if its configuration forbids forwarding, and
 * with reason 2 if nothing listens on the port.
 */
function refused(host: string, port: number, error: Error): KubexmError {
  const isForbidden = 'reason' in error && error.reason === ADMINISTRATIVELY_PROHIBITED;
  return isForbidden
    ? fail('TUNNEL_FORBIDDEN', { host }, error)
    : fail('TUNNEL_REFUSED', { host, port, reason: error.message }, error);
}

const ADMINISTRATIVELY_PROHIBITED = 1;

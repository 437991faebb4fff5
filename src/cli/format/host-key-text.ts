import type { OnNewHostKey } from '../../runtime/session/connect.ts';
import type { Console } from '../console.ts';

/** Shows the fingerprint of each host key that is trusted on first use, so that the user can compare it. */
export const showNewHostKeys =
  (console: Pick<Console, 'note'>): OnNewHostKey =>
  ({ host, address, type, fingerprint }) =>
    console.note(`${host} (${address}): trusting its SSH host key on first use: ${type} ${fingerprint}`, 'note');

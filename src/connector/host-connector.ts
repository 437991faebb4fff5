import type { Connector } from './connector.ts';
import { downloadFile } from './download.ts';
import { execSupervised, type ExecHost } from './exec.ts';
import { batchQueries } from './query.ts';
import { createShellOpener, type OpenShell } from './shell.ts';
import { needsSudo } from './sudo.ts';
import { ROOT_FOLDERS } from './supervisor-script.ts';
import type { Transport } from './transport.ts';
import { uploadFile } from './upload.ts';

/** Creates a connector for a transport. SSH hosts and the local machine share this code. */
export function hostConnector(transport: Transport): Connector {
  const { host, user, rootFolders = ROOT_FOLDERS } = transport;
  let roundTrips = 0;
  let swept = false;
  let bootId: string | undefined;
  const openShell = createShellOpener(transport, (id) => (bootId = id));
  const open: OpenShell = (script, options) => {
    roundTrips++;
    return openShell(script, options);
  };
  const on: ExecHost = {
    host,
    open,
    rootFolders,
    asRoot: (root) => user === 'root' || needsSudo(transport, root),
    shouldSweep: () => !swept && (swept = true),
  };
  return Object.freeze({
    host,
    rootFolders,
    get roundTrips() {
      return roundTrips;
    },
    get bootId() {
      return bootId;
    },
    query: batchQueries(host, open),
    exec: (script, options = {}) => execSupervised(on, script, options),
    checkNewConnection: (signal) => {
      roundTrips++;
      return transport.checkNewConnection?.(signal) ?? Promise.resolve();
    },
    upload: (source, target, signal) => uploadFile(host, open, source, target, signal),
    download: (remote, local, signal) => downloadFile(host, open, remote, local, signal),
    tunnel: (port, signal) => transport.tunnel(port, signal),
    [Symbol.asyncDispose]: () => transport.close(),
  } satisfies Connector);
}

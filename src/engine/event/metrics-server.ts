import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { fail } from '../../common/errors/errors.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import type { Metrics } from './metrics.ts';

/** Serves metrics at http://ADDRESS/metrics during a run, as with `--metrics-listen 127.0.0.1:9464`. */
export async function serveMetrics(
  address: string,
  metrics: Metrics,
): Promise<AsyncDisposable & { readonly port: number }> {
  const { host, port } = parseAddress(address);
  const server = createServer((request, response) => {
    const found = request.url === '/metrics';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(found ? metrics.text() : 'Metrics are at /metrics\n');
  });
  await listen(server, host, port, address);
  // The server must not keep the process running after the run.
  server.unref();
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes metrics for the textfile collector of node_exporter. */
export const writeMetrics = (path: string, metrics: Metrics): Promise<void> =>
  writeFileAtomically(path, metrics.text(), 0o644);

/** Parses "127.0.0.1:9464", "[::1]:9464", or ":9464" for loopback only. */
function parseAddress(address: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(address);
  const port = Number(match?.[3]);
  if (!match || port > 65_535)
    throw fail('USAGE', {
      message: `--metrics-listen needs an address and a port, got "${address}"`,
      help: '--metrics-listen 127.0.0.1:9464',
    });
  return { host: match[1] ?? (match[2] || '127.0.0.1'), port };
}

async function listen(server: Server, host: string, port: number, address: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const message = `--metrics-listen ${address} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
    throw fail('USAGE', { message, help: '--metrics-listen 127.0.0.1:9464' }, error);
  }
}

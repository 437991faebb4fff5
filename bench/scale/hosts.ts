import { appendFileSync, readFileSync } from 'node:fs';
import { memoryBackend, type MemoryHost } from './memory-host.ts';
import type { Recording } from './recording.ts';
import { serveHosts } from '../../test/fake/simulated-hosts.ts';
import type { Backend } from '../../test/fake/shell-server.ts';

/** The simulated hosts of one process. */
export interface HostsConfig {
  readonly port: number;
  readonly hosts: readonly (MemoryHost & { readonly recording: string })[];
  /** Scripts that no recording answers are appended here. */
  readonly unknown: string;
}

// Started by bench/scale.ts; ends with it.
const config: HostsConfig = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
const recordings = new Map<string, Recording>();
const recordingAt = (path: string): Recording => {
  const known: Recording = recordings.get(path) ?? JSON.parse(readFileSync(path, 'utf8'));
  recordings.set(path, known);
  return known;
};
const seen = new Set<string>();
const onUnknown = (script: string) => {
  if (seen.has(script)) return;
  seen.add(script);
  appendFileSync(config.unknown, `${JSON.stringify(script)}\n`);
};
const backends = new Map<string, Backend>(
  config.hosts.map((host) => [host.address, memoryBackend(host, recordingAt(host.recording), onUnknown)]),
);
await serveHosts(config.port, (address) => backends.get(address));
process.send?.('ready');
process.on('disconnect', () => process.exit(0));

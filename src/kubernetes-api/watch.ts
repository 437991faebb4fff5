import { setTimeout as sleep } from 'node:timers/promises';
import type { Calls } from './calls.ts';
import { list, listPath } from './list.ts';
import type { Stored } from './objects.ts';
import type { CallOptions, ListQuery } from './options.ts';
import type { Resource, Resources } from './resources.ts';
import { refusal, statusOf } from './status.ts';
import type { ApiStream, ApiTransport } from './transport.ts';

/**
 * Lists objects and follows their changes. After a lost connection it continues through another master from the last version
 * it saw; if the API server no longer has that version, or the transport cannot stream, it lists them again.
 */
export async function* watch<R extends Resource>(
  calls: Calls,
  resource: R,
  query: ListQuery,
  limits: CallOptions,
): AsyncGenerator<ReadonlyMap<string, Resources[R]>> {
  const signal = calls.stopOf(limits);
  const options = { ...limits, signal };
  for (;;) {
    const { items, version: listed } = await list(calls, resource, query, options);
    const objects = new Map(items.map((item) => [item.metadata.uid, item]));
    yield objects;
    for (let version: string | undefined = listed; version !== undefined;) {
      const open = await openStream(calls, resource, query, version, options);
      if (open === undefined) break;
      for await (const event of eventsOf<Resources[R]>(calls, open, signal)) {
        if (event.type === 'ERROR') {
          version = undefined;
          break;
        }
        version = event.object.metadata.resourceVersion;
        if (event.type === 'BOOKMARK') continue;
        if (event.type === 'DELETED') objects.delete(event.object.metadata.uid);
        else objects.set(event.object.metadata.uid, event.object);
        yield objects;
      }
      await sleep(REOPEN_MS, undefined, { signal });
    }
    if (!(await canStream(calls, options))) await sleep(POLL_MS, undefined, { signal });
  }
}

interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

interface OpenStream {
  readonly transport: ApiTransport;
  readonly stream: ApiStream;
}

/** Undefined if the version has expired or the transport cannot stream. */
function openStream(
  calls: Calls,
  resource: Resource,
  query: ListQuery,
  version: string,
  options: CallOptions & { readonly signal: AbortSignal },
): Promise<OpenStream | undefined> {
  const doing = `watch ${resource}`;
  const path = listPath(resource, query, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: version,
    timeoutSeconds: String(WATCH_SECONDS),
  });
  return calls.withMaster(
    doing,
    async (transport) => {
      // Not bound to the timeout of one call, because the stream outlives it.
      const stream = await transport.stream?.(path, options.signal);
      if (stream?.status === 200) return { transport, stream };
      if (stream === undefined || stream.status === 410) return undefined;
      const body = await textOf(stream);
      if (stream.status >= 500 || stream.status === 429) throw new Error(statusOf(body).message);
      throw refusal({ status: stream.status, body }, doing, transport.host);
    },
    options,
  );
}

/** Ends without an error when the connection is lost; the caller continues through another master. */
async function* eventsOf<T extends Stored>(
  calls: Calls,
  { transport, stream }: OpenStream,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>> {
  try {
    for await (const line of stream.lines) yield JSON.parse(line);
  } catch {
    signal.throwIfAborted();
    calls.drop(transport);
  }
}

const canStream = async (calls: Calls, options: CallOptions) => (await calls.current(options)).stream !== undefined;

async function textOf({ lines }: ApiStream): Promise<string> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all.join('\n');
}

/** The API server ends the watch after this time, so that a master that came back is used again. */
const WATCH_SECONDS = 240;
const POLL_MS = 2000;
/** Prevents a busy loop if an API server ends watches at once. */
const REOPEN_MS = 50;

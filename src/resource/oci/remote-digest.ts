import { createHash } from 'node:crypto';
import { fail } from '../../common/errors/errors.ts';
import { ACCEPTED } from './manifest.ts';
import { parseReference } from './reference.ts';
import type { Registries } from './registry.ts';

/** The digest that a registry has under a name; undefined when it has none. */
export async function remoteDigest(
  registries: Registries,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { registry: host, repository, tag } = parseReference(name);
  const registry = registries.get(host);
  const ask = (method: 'HEAD' | 'GET') =>
    registry.http.request(registry.url(`/v2/${repository}/manifests/${tag}`), {
      item: name,
      method,
      headers: { accept: ACCEPTED },
      signal,
    });
  const answer = await ask('HEAD');
  await answer.drop();
  if (answer.status === 404) return undefined;
  if (answer.status === 401) throw fail('REGISTRY_DENIED', { registry: host, item: name });
  if (answer.status !== 200)
    throw fail('REGISTRY_UNREACHABLE', { registry: host, reason: `it answered ${answer.status} for ${name}` });
  // Not every registry tells it; then the content does.
  return answer.headers['docker-content-digest'] ?? sumOf(await (await ask('GET')).text());
}

const sumOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

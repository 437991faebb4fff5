import { fail, KubexmError } from '../../common/errors/errors.ts';
import { basicAuth, type HttpRequest } from '../download/http.ts';
import type { Registry } from './registry.ts';
import type { RegistryCredentials } from './authenticate.ts';

/** Returns whether a registry is Harbor. */
export async function isHarbor(
  registry: Registry,
  credentials: RegistryCredentials,
  signal: AbortSignal,
): Promise<boolean> {
  const { status, text } = await requestHarbor(registry, credentials, '/systeminfo', { signal });
  return status === 200 && text.includes('"harbor_version"');
}

/** Creates missing Harbor projects, which must exist before images are pushed. Returns the created projects. */
export async function ensureProjects(
  registry: Registry,
  credentials: RegistryCredentials,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const created: string[] = [];
  for (const name of names) {
    const query = `/projects?project_name=${encodeURIComponent(name)}`;
    if ((await requestHarbor(registry, credentials, query, { method: 'HEAD', signal })).status === 200) continue;
    const response = await requestHarbor(registry, credentials, '/projects', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ project_name: name, metadata: { public: 'true' } }),
      signal,
    });
    if (response.status === 201) created.push(name);
    // 409 means that another client created the project in the meantime.
    else if (response.status !== 409)
      throw fail('HARBOR_REFUSED', {
        registry: registry.host,
        project: name,
        reason: `HTTP ${response.status}: ${response.text.slice(0, 300)}`,
      });
  }
  return created;
}

async function requestHarbor(
  registry: Registry,
  { username, password }: RegistryCredentials,
  path: string,
  request: Omit<HttpRequest, 'item'>,
): Promise<{ readonly status: number; readonly text: string }> {
  const authorization = username !== undefined && password && basicAuth(username, password.reveal());
  const headers = { accept: 'application/json', ...(authorization && { authorization }), ...request.headers };
  try {
    const response = await registry.http.request(registry.url(`/api/v2.0${path}`), {
      ...request,
      item: registry.host,
      headers,
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (error instanceof KubexmError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw fail('PUSH_FAILED', { image: registry.host, reason }, error);
  }
}

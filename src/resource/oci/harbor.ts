import { fail, KubexmError } from '../../common/errors/errors.ts';
import { basicLogin, type HttpRequest } from '../download/http.ts';
import type { Registry, RegistryCredentials } from './registry.ts';

/** Whether a registry is a Harbor. */
export async function isHarbor(registry: Registry, access: RegistryCredentials, signal: AbortSignal): Promise<boolean> {
  const { status, text } = await askHarbor(registry, access, '/systeminfo', { signal });
  return status === 200 && text.includes('"harbor_version"');
}

/** Makes the projects that a Harbor needs before it takes images. Resolves with those it made. */
export async function ensureProjects(
  registry: Registry,
  access: RegistryCredentials,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const made: string[] = [];
  for (const name of names) {
    const known = `/projects?project_name=${encodeURIComponent(name)}`;
    if ((await askHarbor(registry, access, known, { method: 'HEAD', signal })).status === 200) continue;
    const answer = await askHarbor(registry, access, '/projects', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ project_name: name, metadata: { public: 'true' } }),
      signal,
    });
    if (answer.status === 201) made.push(name);
    // 409: somebody else was first.
    else if (answer.status !== 409)
      throw fail('HARBOR_REFUSED', {
        registry: registry.host,
        project: name,
        reason: `it answered ${answer.status}: ${answer.text.slice(0, 300)}`,
      });
  }
  return made;
}

async function askHarbor(
  registry: Registry,
  { username, password }: RegistryCredentials,
  path: string,
  request: Omit<HttpRequest, 'item'>,
): Promise<{ readonly status: number; readonly text: string }> {
  const login = username !== undefined && password && basicLogin(username, password.reveal());
  const headers = { accept: 'application/json', ...(login && { authorization: login }), ...request.headers };
  try {
    const answer = await registry.http.request(registry.url(`/api/v2.0${path}`), {
      ...request,
      item: registry.host,
      headers,
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    if (error instanceof KubexmError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw fail('PUSH_FAILED', { image: registry.host, reason }, error);
  }
}

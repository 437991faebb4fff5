import { fail, KubexmError } from '../../common/errors.ts';
import { basicLogin, type HttpRequest } from '../download/http.ts';
import type { Registry, RegistryAccess } from './registry.ts';

/** Makes the projects that a Harbor needs before it takes images; other registries are left alone. Resolves with those it made. */
export async function ensureProjects(
  registry: Registry,
  { username, password }: RegistryAccess,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const login = username !== undefined && password && basicLogin(username, password.reveal());
  const ask = async (path: string, request: Omit<HttpRequest, 'item' | 'signal'> = {}) => {
    const headers = { accept: 'application/json', ...(login && { authorization: login }), ...request.headers };
    const answer = await registry.http.request(registry.url(`/api/v2.0${path}`), {
      ...request,
      item: registry.host,
      headers,
      signal,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const { status, text } = await ask('/systeminfo').catch((error: unknown) => {
    if (error instanceof KubexmError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw fail('PUSH_FAILED', { image: registry.host, reason }, error);
  });
  if (status !== 200 || !text.includes('"harbor_version"')) return [];
  const made: string[] = [];
  for (const name of names) {
    if ((await ask(`/projects?project_name=${encodeURIComponent(name)}`, { method: 'HEAD' })).status === 200) continue;
    const answer = await ask('/projects', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ project_name: name, metadata: { public: 'true' } }),
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

import { setTimeout as pause } from 'node:timers/promises';
import type { Assets } from '../../resource/assets.ts';
import { checkLogin, type LoginResult } from '../../resource/oci/check-login.ts';
import { openRegistries } from '../../resource/oci/registry.ts';
import type { RegistryCredentials } from '../../resource/oci/authenticate.ts';
import { fail, type KubexmError } from '../../common/errors/errors.ts';
import { pushName } from '../../config/model/own-registry.ts';
import { DONE } from '../contract/finding.ts';
import type { Finding, GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import type { NamedRegistry } from './managed-registry.ts';

/** Whether a registry must reject requests without credentials. */
export type Anonymous = 'accepted' | 'rejected';

/** Logs in to the registry from this machine. A managed registry must also reject requests without credentials. */
export const verifyRegistry = (
  registry: NamedRegistry,
  assets: Pick<Assets, 'credentials'>,
  anonymous: Anonymous = registry.type === 'external' ? 'accepted' : 'rejected',
): Step =>
  defineStep({
    name: 'registry.verify',
    summary: `Verify the login to ${registry.name}`,
    timeoutMs: FIVE_MINUTES,
    parts: () => endpointsOf(registry, anonymous).map((endpoint) => verifiedLogin(endpoint, assets)),
  });

interface Endpoint {
  readonly name: string;
  readonly anonymous: Anonymous;
  readonly timeoutMs: number;
}

/** A managed registry may have been started just now; an external one must be ready. */
function endpointsOf(registry: NamedRegistry, anonymous: Anonymous): readonly Endpoint[] {
  const { name } = registry;
  if (registry.type === 'external') return [{ name, anonymous, timeoutMs: 0 }];
  const push = { name: pushName(registry), anonymous, timeoutMs: TIMEOUT_MS };
  return push.name === name ? [push] : [push, { name, anonymous: 'accepted', timeoutMs: TIMEOUT_MS }];
}

const FIVE_MINUTES = 300_000;

function verifiedLogin(endpoint: Endpoint, { credentials }: Pick<Assets, 'credentials'>): GenericStep {
  const { name, timeoutMs } = endpoint;
  const tryLogins = async (signal: AbortSignal): Promise<LoginResults> => {
    const access = credentials[name] ?? {};
    const [authenticated, anonymous] = await Promise.all([
      tryLogin(name, access, signal),
      tryLogin(name, withoutCredentials(access), signal),
    ]);
    return { authenticated, anonymous };
  };
  return Object.freeze<GenericStep>({
    key: `check:registry-${name}`,
    summary: `log in to ${name}`,
    precheck: async ({ signal }) => findingOf(endpoint, await tryLogins(signal)),
    async run(ctx) {
      const { signal } = ctx;
      const end = Date.now() + timeoutMs;
      for (;;) {
        const results = await tryLogins(signal);
        if (findingOf(endpoint, results).done) return;
        const { authenticated } = results;
        if (authenticated.type === 'denied' || Date.now() >= end) throw errorFor(endpoint, results);
        ctx.say(`${name}: ${authenticated.type === 'unreachable' ? authenticated.reason : 'not ready yet'}`);
        await pause(1000, undefined, { signal }).catch(() => {});
      }
    },
  });
}

const TIMEOUT_MS = 60_000;

async function tryLogin(name: string, access: RegistryCredentials, signal: AbortSignal): Promise<LoginResult> {
  await using registries = openRegistries({ [name]: access }, { connectTimeoutMs: 10_000, responseTimeoutMs: 15_000 });
  // Awaited here, because the registries are closed when this function returns.
  return await checkLogin(registries, name, signal);
}

/** The registry endpoint without credentials. */
const withoutCredentials = ({ address, ca, plainHTTP, skipTLSVerify }: RegistryCredentials): RegistryCredentials => ({
  ca,
  ...(address !== undefined && { address }),
  ...(plainHTTP !== undefined && { plainHTTP }),
  ...(skipTLSVerify !== undefined && { skipTLSVerify }),
});

interface LoginResults {
  readonly authenticated: LoginResult;
  readonly anonymous: LoginResult;
}

function findingOf({ anonymous: wanted }: Endpoint, { authenticated, anonymous }: LoginResults): Finding {
  if (authenticated.type === 'unreachable') return { done: false, because: `unreachable: ${authenticated.reason}` };
  if (authenticated.type === 'denied') return { done: false, because: 'rejects the credentials' };
  const isOpen = wanted === 'rejected' && anonymous.type === 'accepted';
  return isOpen ? { done: false, because: 'accepts anonymous access' } : DONE;
}

function errorFor({ name }: Endpoint, { authenticated }: LoginResults): KubexmError {
  if (authenticated.type === 'denied') return fail('REGISTRY_DENIED', { registry: name, item: name });
  const reason = authenticated.type === 'unreachable' ? authenticated.reason : 'it accepts anonymous access';
  return fail('REGISTRY_UNREACHABLE', { registry: name, reason });
}

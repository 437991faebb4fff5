import { setTimeout as pause } from 'node:timers/promises';
import type { Assets } from '../../resource/assets.ts';
import { checkLogin, type LoginResult } from '../../resource/oci/check-login.ts';
import { openRegistries } from '../../resource/oci/registry.ts';
import type { RegistryCredentials } from '../../resource/oci/authenticate.ts';
import { fail, type KubexmError } from '../../common/errors/errors.ts';
import { DONE } from '../contract/finding.ts';
import type { Finding, GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import type { NamedRegistry } from './managed-registry.ts';

/**
 * Checks that kubexm can log in to the registry from this machine, and that a managed registry rejects anonymous access
 * if a user is configured.
 */
export const verifyRegistry = (registry: NamedRegistry, assets: Pick<Assets, 'credentials'>): Step =>
  defineStep({
    name: 'registry.verify',
    summary: `Verify the login to ${registry.name}`,
    timeoutMs: FIVE_MINUTES,
    parts: () => [verifiedLogin(registry, assets)],
  });

const FIVE_MINUTES = 300_000;

function verifiedLogin(registry: NamedRegistry, { credentials }: Pick<Assets, 'credentials'>): GenericStep {
  const tryLogins = async (signal: AbortSignal) => {
    const access = credentials[registry.name] ?? {};
    const [authenticated, anonymous] = await Promise.all([
      tryLogin(registry.name, access, signal),
      tryLogin(registry.name, withoutCredentials(access), signal),
    ]);
    return { authenticated, anonymous, hasCredentials: access.username !== undefined };
  };
  return Object.freeze<GenericStep>({
    key: `check:registry-${registry.name}`,
    summary: `log in to ${registry.name}`,
    precheck: async ({ signal }) => findingOf(registry, await tryLogins(signal)),
    async run(ctx) {
      const { signal } = ctx;
      // A managed registry may have been started just now; an external one must be ready.
      const end = Date.now() + (registry.type === 'external' ? 0 : TIMEOUT_MS);
      for (;;) {
        const results = await tryLogins(signal);
        if (findingOf(registry, results).done) return;
        const { authenticated } = results;
        if (authenticated.type === 'denied' || Date.now() >= end) throw errorFor(registry, results);
        ctx.say(`${registry.name}: ${authenticated.type === 'unreachable' ? authenticated.reason : 'not ready yet'}`);
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
  readonly hasCredentials: boolean;
}

function findingOf({ type }: NamedRegistry, { authenticated, anonymous, hasCredentials }: LoginResults): Finding {
  if (authenticated.type === 'unreachable') return { done: false, because: `unreachable: ${authenticated.reason}` };
  if (authenticated.type === 'denied') return { done: false, because: 'rejects the credentials' };
  const open = type !== 'external' && hasCredentials && anonymous.type === 'accepted';
  return open ? { done: false, because: 'accepts anonymous access' } : DONE;
}

function errorFor({ name }: NamedRegistry, { authenticated }: LoginResults): KubexmError {
  if (authenticated.type === 'denied') return fail('REGISTRY_DENIED', { registry: name, item: name });
  const reason = authenticated.type === 'unreachable' ? authenticated.reason : 'it accepts anonymous access';
  return fail('REGISTRY_UNREACHABLE', { registry: name, reason });
}

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

/** The registry lets us in from this machine, with its certificate checked; and nobody without a password that it asks for. */
export const verifyRegistry = (registry: NamedRegistry, assets: Pick<Assets, 'credentials'>): Step =>
  defineStep({
    name: 'registry.verify',
    summary: `Ask ${registry.name} to let us in`,
    timeoutMs: FIVE_MINUTES,
    parts: () => [letsUsIn(registry, assets)],
  });

const FIVE_MINUTES = 300_000;

function letsUsIn(registry: NamedRegistry, { credentials }: Pick<Assets, 'credentials'>): GenericStep {
  const look = async (signal: AbortSignal) => {
    const access = credentials[registry.name] ?? {};
    const [ours, strangers] = await Promise.all([
      ask(registry.name, access, signal),
      ask(registry.name, withoutLogin(access), signal),
    ]);
    return { ours, strangers, login: access.username !== undefined };
  };
  return Object.freeze<GenericStep>({
    key: `check:registry-${registry.name}`,
    summary: `be let in by ${registry.name}`,
    precheck: async ({ signal }) => findingOf(registry, await look(signal)),
    async run(ctx) {
      const { signal } = ctx;
      // A service that was started a moment ago may need a few; somebody else's is there or not.
      const end = Date.now() + (registry.type === 'external' ? 0 : PATIENCE_MS);
      for (;;) {
        const looked = await look(signal);
        if (findingOf(registry, looked).done) return;
        if (looked.ours.type === 'denied' || Date.now() >= end) throw refusal(registry, looked);
        ctx.say(`${registry.name}: ${looked.ours.type === 'unreachable' ? looked.ours.reason : 'not ready yet'}`);
        await pause(1000, undefined, { signal }).catch(() => {});
      }
    },
  });
}

const PATIENCE_MS = 60_000;

async function ask(name: string, access: RegistryCredentials, signal: AbortSignal): Promise<LoginResult> {
  await using registries = openRegistries({ [name]: access }, { connectTimeoutMs: 10_000, responseTimeoutMs: 15_000 });
  // Waited for here: the registries end with this function.
  return await checkLogin(registries, name, signal);
}

/** The same place, for somebody without a name. */
const withoutLogin = ({ address, ca, plainHTTP, skipTLSVerify }: RegistryCredentials): RegistryCredentials => ({
  ca,
  ...(address !== undefined && { address }),
  ...(plainHTTP !== undefined && { plainHTTP }),
  ...(skipTLSVerify !== undefined && { skipTLSVerify }),
});

interface Looked {
  readonly ours: LoginResult;
  readonly strangers: LoginResult;
  /** We have a name and a password for it. */
  readonly login: boolean;
}

function findingOf({ type }: NamedRegistry, { ours, strangers, login }: Looked): Finding {
  if (ours.type === 'unreachable') return { done: false, because: `it cannot be reached: ${ours.reason}` };
  if (ours.type === 'denied') return { done: false, because: 'it does not let us in' };
  const open = type !== 'external' && login && strangers.type === 'accepted';
  return open ? { done: false, because: 'it lets everybody in' } : DONE;
}

function refusal({ name }: NamedRegistry, { ours }: Looked): KubexmError {
  if (ours.type === 'denied') return fail('REGISTRY_DENIED', { registry: name, item: name });
  const reason = ours.type === 'unreachable' ? ours.reason : 'it lets in those who have no password, too';
  return fail('REGISTRY_UNREACHABLE', { registry: name, reason });
}

import { randomBytes } from 'node:crypto';
import type { Cache } from '../../../src/cache/cache.ts';
import type { Host, Hosts } from '../../../src/common/host.ts';
import type { Connector } from '../../../src/connector/connector.ts';
import { createRunner } from '../../../src/runner/create-runner.ts';
import { gatherFacts } from '../../../src/runner/facts/gather.ts';
import type { StepContext } from '../../../src/step/contract/part.ts';
import { NO_API } from '../../fake/fake-context.ts';

/** A step context for a real machine. */
export interface MachineContext extends StepContext {
  /** The lines that steps have printed. */
  readonly said: readonly string[];
}

/** Returns a factory of step contexts for one machine, each with its own directory for kept files. */
export async function stepContexts(connector: Connector): Promise<() => MachineContext> {
  const facts = await gatherFacts(connector);
  const runner = createRunner(connector, facts);
  const host: Host = { name: connector.host, address: '127.0.0.1', roles: ['worker'] };
  const hosts: Hosts = { all: [host], withRole: () => [host] };
  const cache: Cache = { get: () => undefined, set() {} };
  return () => {
    const said: string[] = [];
    return {
      run: 'test',
      host,
      hosts,
      facts,
      runner,
      api: NO_API,
      on: () => runner,
      cache,
      keepDir: `/var/lib/kubexm-keep/${randomBytes(4).toString('hex')}`,
      originDir: '/var/lib/kubexm-before',
      stagingDir: '/var/lib/staging',
      say: (line) => said.push(line),
      said,
      signal: new AbortController().signal,
    };
  };
}

import { createHash } from 'node:crypto';
import { fail } from '../../src/common/errors/errors.ts';
import type { Connector } from '../../src/connector/connector.ts';
import type { Facts } from '../../src/runner/facts.ts';
import type { Runner } from '../../src/runner/runner.ts';

/** A runner that uses only the scripts a fake host handles. */
export function fakeRunner(connector: Connector, signal?: AbortSignal): Runner {
  const options = signal && { signal };
  const exec = async (script: string, stdin = '') => {
    const result = await connector.exec(script, { stdin, ...options });
    if (result.exit === 0) return result;
    throw fail('COMMAND_FAILED', { command: script, exit: result.exit, output: result.stderr });
  };
  const read = async (path: string) => {
    const { exit, stdout } = await connector.query(`cat ${path}`, options);
    return exit === 0 ? stdout : undefined;
  };
  return {
    host: connector.host,
    facts: fakeFacts(connector.host),
    get packages(): never {
      throw new Error('fake hosts do not support packages');
    },
    get services(): never {
      throw new Error('fake hosts do not support services');
    },
    query: ({ text }) => connector.query(text, options),
    test: async ({ text }) => (await connector.query(text, options)).exit === 0,
    stat: () => Promise.reject(new Error('fake hosts do not support stat')),
    read,
    sha256: async (path) => {
      const content = await read(path);
      return content === undefined ? undefined : createHash('sha256').update(content).digest('hex');
    },
    run: ({ text }, { stdin } = {}) => exec(text, stdin),
    write: async ({ path, content }) => void (await exec(`cat > ${path}`, content)),
    checkNewConnection: () => connector.checkNewConnection(signal),
    upload: (source, target) => connector.upload(source, target, signal),
    download: (remote, local) => connector.download(remote, local, signal),
  };
}

export const fakeFacts = (hostname: string): Facts => ({
  hostname,
  os: { id: 'debian', idLike: [], versionId: '12', prettyName: 'Debian 12' },
  family: 'debian',
  arch: 'amd64',
  kernel: '6.1.0',
  cpus: 4,
  memoryBytes: 8 << 30,
  swapBytes: 0,
  mounts: [],
  interfaces: [],
  routes: [],
  cgroup: 'v2',
  init: 'systemd',
  virtualization: { type: 'none', name: '' },
  machineId: hostname,
  productUuid: undefined,
  bootId: `boot-${hostname}`,
  clockSkewMs: 0,
  packageManager: 'apt',
  listening: [],
  services: {},
});

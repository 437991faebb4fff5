import { sh } from '../../runner/command.ts';
import { findingOf } from '../contract/finding.ts';
import { fileFinding } from '../common/file-finding.ts';
import { rememberPath, restorePath } from '../contract/backup.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

export const NETWORK_MANAGER = '/etc/NetworkManager/conf.d/90-kubexm.conf';

/** Makes NetworkManager list these name servers before its own. */
export function networkManagerServers(servers: readonly string[]): GenericStep {
  return Object.freeze<GenericStep>({
    key: 'network-manager:name-servers',
    summary: 'add the name servers to NetworkManager',
    formerly: ['NetworkManager', 'add the name servers to NetworkManager'],
    async precheck(ctx) {
      const { found, wanted, listed } = await inspect(ctx, servers);
      const finding = fileFinding(found, wanted);
      const missing = servers.filter((server) => !listed.includes(server));
      const differences = missing.map((server) => `/etc/resolv.conf does not list ${server}`);
      return finding.done ? findingOf(differences) : findingOf([finding.because, ...differences], finding.diff);
    },
    remember: (ctx) => rememberPath(ctx, COPY, NETWORK_MANAGER),
    async run(ctx) {
      await ctx.runner.write((await inspect(ctx, servers)).wanted);
      await ctx.runner.run(sh`systemctl reload NetworkManager.service`);
    },
    rollback: (ctx, before) => restoreNetworkManager(ctx, 'name-servers', before),
  });
}

/** Name of the file's backup; must not change between releases. */
const COPY = `file ${NETWORK_MANAGER}`;

/** Restores the NetworkManager configuration and reloads it. */
export const restoreNetworkManager: Restore = async (ctx, _, before) => {
  await restorePath(ctx, COPY, NETWORK_MANAGER, before);
  await ctx.runner.run(sh`systemctl try-reload-or-restart NetworkManager.service`);
};

/** Global DNS settings replace all others, so they also list the current name servers, after ours. */
async function inspect({ runner }: StepContext, servers: readonly string[]) {
  const [state, content, resolv = ''] = await Promise.all([
    runner.stat(NETWORK_MANAGER),
    runner.read(NETWORK_MANAGER),
    runner.read('/etc/resolv.conf'),
  ]);
  const listed = [...resolv.matchAll(/^nameserver\s+(\S+)/gm)].map((match) => match[1] ?? '');
  const searches = /^search\s+(.+)$/m.exec(resolv)?.[1]?.trim().split(/\s+/) ?? [];
  const all = [...servers, ...listed.filter((server) => !servers.includes(server))];
  return {
    found: { state, content },
    listed,
    wanted: {
      path: NETWORK_MANAGER,
      content: `# Written by kubexm.
[global-dns]
${searches.length > 0 ? `searches=${searches.join(',')}\n` : ''}
[global-dns-domain-*]
servers=${all.join(',')}
`,
      mode: 0o644,
      owner: 'root:root',
    },
  };
}

import { defineCommand } from '../command.ts';
import { showNewHostKeys } from '../format/host-key-text.ts';
import { inspectOptions, loadSelectedCluster } from '../open-cluster.ts';
import { tableOrJson } from '../options/output.ts';

export const addonList = defineCommand({
  path: 'addon list',
  summary: 'List the addons in the cluster file and their state in the cluster',
  options: { ...inspectOptions, output: tableOrJson },
  examples: [{ command: 'kubexm addon list -f cluster.yaml', does: 'Show which addons are installed' }],
  async run({ options, global, console }) {
    const { listAddons } = await import('../../runtime/inspect/list-addons.ts');
    const { openSession } = await import('../../runtime/session/session.ts');
    const { listenForInterrupts } = await import('../interrupts.ts');
    const { cluster, workdir } = await loadSelectedCluster({ options, global });
    using interrupts = listenForInterrupts((text) => console.note(text, 'warning'));
    await using session = await openSession(cluster, workdir, showNewHostKeys(console));
    const addons = await listAddons(session, workdir, interrupts);
    if (options.output === 'json') return console.json({ cluster: cluster.name, addons });
    await console.table(
      ['NAME', 'TYPE', 'NAMESPACE', 'STATE', 'WHY'],
      addons.map(({ name, type, namespace = '', state, because }) => [name, type, namespace, state, because]),
    );
  },
});

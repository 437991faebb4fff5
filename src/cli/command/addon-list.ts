import { clusterOptions, loginOptions, placeOf } from '../options/cluster.ts';
import { defineCommand } from '../command.ts';

export const addonList = defineCommand({
  path: 'addon list',
  summary: 'List the addons of a file, and whether the cluster has them so',
  options: {
    ...clusterOptions,
    ...loginOptions,
    output: { type: 'choice', short: 'o', choices: ['table', 'json'], default: 'table', summary: 'how it is printed' },
  },
  examples: [{ command: 'kubexm addon list -f cluster.yaml', does: 'What is installed?' }],
  async run({ options, global, console }) {
    const { loadCluster } = await import('../../config/load/load.ts');
    const { withLogin } = await import('../../config/model/with-login.ts');
    const { listAddons } = await import('../../runtime/inspect/list-addons.ts');
    const { openSession } = await import('../../runtime/session/session.ts');
    const { listenForInterrupts } = await import('../interrupts.ts');
    const { file, workdir } = await placeOf(options, global);
    const cluster = withLogin(await loadCluster(file, { overrides: options.extraVars }), options);
    using interrupts = listenForInterrupts((text) => console.note(text, 'warning'));
    await using session = await openSession(cluster, workdir);
    const addons = await listAddons(session, workdir, interrupts);
    if (options.output === 'json') return console.json({ cluster: cluster.name, addons });
    await console.table(
      ['NAME', 'TYPE', 'NAMESPACE', 'STATE', 'WHY'],
      addons.map(({ name, type, namespace = '', state, because }) => [name, type, namespace, state, because]),
    );
  },
});

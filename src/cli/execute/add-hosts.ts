import { relative } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { formatDiagnostic } from '../../config/diagnostic/diagnostic.ts';
import type { Role } from '../../common/host.ts';
import { addNodesPipeline } from '../../pipeline/nodes/add.ts';
import { findAddition } from '../../runtime/membership/find-addition.ts';
import { checkIds } from '../../runtime/run/check-hosts.ts';
import { replaceClusterFile } from '../../state/cluster-file.ts';
import { confirm } from '../confirm.ts';
import { diffText } from '../format/diff-text.ts';
import { fileDiff } from '../format/file-diff.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import { loadOfflineBundles } from '../options/artifacts.ts';
import { loadAddition, type AdditionOptions, type LocatedAddition } from './load-addition.ts';
import { membershipNotes } from './membership-notes.ts';
import { runPipeline, type PipelineCall, type PipelineRun } from './run-pipeline.ts';

/** An invocation of `add nodes`. */
export interface AdditionCall extends PipelineCall {
  readonly options: PipelineCall['options'] &
    Parameters<typeof loadOfflineBundles>[0] & {
      readonly skipPreflight: boolean;
      readonly ignorePreflight: readonly string[];
    };
}

/** Adds hosts to a cluster. Writes the cluster file before the run, so that a killed run can be repeated. */
export function runAddition(call: AdditionCall, given: AdditionOptions): Promise<number> {
  const ignore = checkIds(call.options.ignorePreflight);
  let loading: Promise<LocatedAddition> | undefined;
  const load = () => (loading ??= loadAddition(call, given));
  return runPipeline(
    call,
    async ({ cluster, diagnostics, location }, open) => {
      const located = await load();
      showChange(call, located);
      const session = await open();
      call.console.progress({ task: `Inspecting ${cluster.name}` });
      const addition = await abortOnInterrupt((signal) => findAddition(session, location.workdir, signal));
      if (!addition) return { nothing: nothingText(located) };
      refuseOthers(located, addition.roles);
      const offline = await loadOfflineBundles(call.options, call.console);
      const preflight = call.options.skipPreflight ? 'skip' : { ignore, lint: diagnostics };
      return {
        pipeline: addNodesPipeline(addition, { preflight, offline }),
        assets: { type: 'catalog', offline },
        resumeCanStart: true,
        ...fileHooks(call, given, located, addition.roles),
      } satisfies PipelineRun;
    },
    load,
  );
}

/** Shows the changes to the cluster file: on stdout as part of a preview, otherwise before the confirmation. */
function showChange({ console, options }: PipelineCall, { change, warnings }: LocatedAddition): void {
  if (options.output === 'json') return;
  for (const warning of warnings) console.note(formatDiagnostic(warning), 'warning');
  if (!change) return;
  const text = `${diffText(fileDiff(change), console.color)}\n`;
  if (options.dryRun) console.print(text);
  else console.note(text);
}

const nothingText = ({ selected, cluster }: LocatedAddition) =>
  selected
    ? `Nothing to do: ${[...selected].join(', ')} already belong${selected.size === 1 ? 's' : ''} to ${cluster.name}.`
    : 'Nothing to do: all hosts in the cluster file are part of the cluster.';

type Roles = ReadonlyMap<string, readonly Role[]>;

/**
 * Fails if the cluster file contains other hosts that were never added. Without local state, only the cluster shows
 * this.
 */
function refuseOthers({ selected }: LocatedAddition, roles: Roles): void {
  const others = selected ? [...roles.keys()].filter((name) => !selected.has(name)) : [];
  if (others.length > 0)
    throw fail('NODES_INVALID', {
      command: 'add nodes',
      problems: `The cluster file also has ${others.join(', ')}, which are not part of the cluster. Add all hosts without --nodes, or remove these hosts from the cluster file`,
    });
}

function fileHooks(
  call: PipelineCall,
  given: AdditionOptions,
  { change, warnings, cluster, location }: LocatedAddition,
  roles: Roles,
): Pick<PipelineRun, 'before' | 'describe'> {
  let backup: string | undefined;
  const changed = change && { path: change.path, diff: fileDiff(change) };
  return {
    before: async () => {
      if (!change) return;
      const command = ['add nodes --nodes', given.nodes.join(','), ...given.role.map((role) => `--role ${role}`)].join(
        ' ',
      );
      await confirm(call, command, `Write ${change.path} and add ${rolesText(roles)} to ${cluster.name}?`);
      backup = await replaceClusterFile(change, new Date());
      call.console.note(`Wrote ${change.path}. The old file is ${relative('.', backup)}.`);
    },
    describe: (touched) => {
      const added = { cluster, changed: new Set(roles.keys()), as: 'added' } as const;
      const notes = membershipNotes(call, { location }, added, touched);
      const file = changed && { clusterFile: { ...changed, backup: backup ?? null } };
      const found = warnings.length > 0 && { warnings: warnings.map(formatDiagnostic) };
      return { lines: notes.lines, json: { ...notes.json, ...file, ...found } };
    },
  };
}

/** Formats the hosts to add, such as "node4 (worker), node5 (master, etcd)". */
const rolesText = (roles: Roles) => [...roles].map(([name, each]) => `${name} (${each.join(', ')})`).join(', ');

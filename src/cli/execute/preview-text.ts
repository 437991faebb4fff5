import type pc from 'picocolors';
import { sanitize } from '../../common/sanitize.ts';
import type { NodePreview, Preview } from '../../engine/preview.ts';
import { causeOf } from '../../engine/event/event-text.ts';
import { diffText } from '../format/diff-text.ts';

type Color = ReturnType<typeof pc.createColors>;

/** Returns the text that --dry-run prints below the plan: the changes on all reachable hosts, with diffs. */
export function previewText({ nodes, unreachable }: Preview, color: Color): string {
  const changing = nodes.filter(({ changes, unknown }) => changes.length > 0 || unknown !== undefined);
  const unchanged = nodes.length - changing.length;
  return [
    ...changing.flatMap((node) => nodeLines(node, color)),
    ...unreachable.map(({ host, error }) => `${color.yellow('!')} ${host} could not be checked: ${causeOf(error)}`),
    `Plan: ${changing.length} to change, ${unchanged} unchanged. Nothing was changed.`,
  ].join('\n');
}

/** Returns the preview as JSON, for scripts. */
export const previewJson = ({ nodes, unreachable }: Preview) => ({
  steps: nodes.map(({ node, changes, unknown }) => ({
    node: node.id,
    host: node.host.name,
    step: node.step.name,
    changes,
    unknown,
  })),
  unreachable: unreachable.map(({ host, error }) => ({ host, message: causeOf(error) })),
});

const nodeLines = ({ node, changes, unknown }: NodePreview, color: Color): string[] => [
  `${color.bold(`${node.step.name}@${node.host.name}`)}  ${color.dim(node.task.path)}`,
  ...(unknown === undefined ? [] : [`  ? ${unknown}`]),
  ...changes.flatMap(({ summary, because, diff }) => [`  ~ ${summary}: ${because}`, ...diffLines(diff, color)]),
];

const diffLines = (diff: string | undefined, color: Color): string[] =>
  diff === undefined
    ? []
    : diffText(sanitize(diff), color)
        .split('\n')
        .map((line) => `      ${line}`);

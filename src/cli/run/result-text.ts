import type pc from 'picocolors';
import type { RunResult } from '../../engine/result.ts';
import { adviceOf, type Advice, type Cause, type Summary } from '../../engine/summary.ts';
import { seconds } from './live-view.ts';

type Color = ReturnType<typeof pc.createColors>;

/** The end of a run for people: causes first, then the state of things, then how to go on. */
export function resultText(result: RunResult, summary: Summary, color: Color): string {
  const { counts, outcome } = result;
  const did = `${counts.done} done, ${counts.skipped} already so`;
  const lines = summary.causes().flatMap((cause) => causeLines(cause, color));
  if (lines.length > 0) lines.push('');
  lines.push(`${mark(outcome, color)} ${title(result)} in ${seconds(summary.durationMs)}: ${did}${restOf(result)}.`);
  const slowest = summary.slowest().filter(({ ms }) => ms >= 1000);
  if (slowest.length > 0)
    lines.push(
      `  ${color.dim('Slowest')} ${slowest.map(({ step, host, ms }) => `${step}@${host} ${seconds(ms)}`).join(', ')}`,
    );
  if (outcome !== 'done') lines.push(...stateLines(result, color), `  ${color.dim('Go on')}   ${result.rollback.goOn}`);
  return lines.join('\n');
}

function causeLines({ type, text, advice, steps, hosts }: Cause, color: Color): string[] {
  const where =
    hosts.length > 5 ? `${hosts.slice(0, 4).join(', ')} and ${hosts.length - 4} more hosts` : hosts.join(', ');
  const head =
    type === 'failed'
      ? `${color.red('x')} ${steps.join(', ')} failed on ${where}`
      : `${color.yellow('!')} ${where} set aside at ${steps.join(', ')}`;
  return [head, ...[...text.split('\n'), ...adviceLines(advice, color)].map((line) => `    ${line}`)];
}

const adviceLines = (advice: Advice | undefined, color: Color): readonly string[] =>
  advice ? [`${color.dim('Try')}     ${advice.hint}`, `${color.dim('Code')}    ${advice.code}`] : [];

const mark = (outcome: RunResult['outcome'], color: Color) =>
  outcome === 'done' ? color.green('✓') : outcome === 'failed' ? color.red('x') : color.yellow('!');

const title = ({ outcome }: RunResult) =>
  ({ done: 'Done', partial: 'Done, but for the hosts above,', failed: 'Failed', interrupted: 'Stopped' })[outcome];

function restOf({ counts }: RunResult): string {
  const rest = [
    counts.failed > 0 && `${counts.failed} failed`,
    counts.blocked > 0 && `${counts.blocked} not started`,
    counts.quarantined > 0 && `${counts.quarantined} on hosts set aside`,
  ].filter(Boolean);
  return rest.length > 0 ? `, ${rest.join(', ')}` : '';
}

function stateLines({ rollback, error }: RunResult, color: Color): string[] {
  const { undone, notUndone, inFlight } = rollback;
  const label = (text: string) => `  ${color.dim(text.padEnd(7))} `;
  return [
    ...(error instanceof Error ? [`${label('Why')}${error.message}`] : []),
    ...adviceLines(adviceOf(error), color).map((line) => `  ${line}`),
    ...(undone.length > 0 ? [`${label('Undone')}${few(undone)}`] : []),
    ...(inFlight.length > 0 ? [`${label('Cut off')}${few(inFlight)}`] : []),
    ...(notUndone.length > 0
      ? [`${label('Kept')}${few(notUndone.map(({ node, reason }) => `${node} (${reason})`))}`]
      : []),
  ];
}

const few = (names: readonly string[]) =>
  names.length > 6 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');

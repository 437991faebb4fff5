import type { HealthResult } from '../../runtime/health/check.ts';
import type { Console } from '../console.ts';

/** Returns one line per check, followed by its findings and how to fix them. */
export function healthText(results: readonly HealthResult[], color: Console['color']): string {
  const width = Math.max(...results.map(({ check }) => check.length)) + 2;
  const lines = results.flatMap(({ check, status, found, findings }) => [
    `${SIGNS[status](color)} ${check.padEnd(width)}${found}`,
    ...shownFindings(findings).flatMap(({ hosts, finding }) => [
      `  ${' '.repeat(width)}${finding.severity === 'failed' ? color.red('failed ') : color.yellow('warning')} ${hosts}${finding.found}`,
      `  ${' '.repeat(width)}${color.dim('next')}    ${finding.next}`,
    ]),
  ]);
  return lines.join('\n');
}

const SIGNS: Readonly<Record<HealthResult['status'], (color: Console['color']) => string>> = {
  ok: (color) => color.green('✓'),
  warning: (color) => color.yellow('!'),
  failed: (color) => color.red('x'),
  unknown: (color) => color.yellow('?'),
};

type Finding = HealthResult['findings'][number];

/** Returns a limited number of findings, because a failed node may have a hundred Pods. */
function shownFindings(findings: readonly Finding[]): readonly { readonly hosts: string; readonly finding: Finding }[] {
  const shown = findings.slice(0, MAX_SHOWN).map((finding) => ({
    hosts: finding.host === undefined ? '' : `${finding.host}: `,
    finding,
  }));
  const last = findings[MAX_SHOWN];
  if (!last) return shown;
  const more = { ...last, found: `and ${findings.length - MAX_SHOWN} more`, next: 'list all with -o json' };
  return [...shown, { hosts: '', finding: more }];
}

const MAX_SHOWN = 8;

/** Returns the number of checks by status, such as "9 ok, 1 warning". */
export function summaryOf(results: readonly HealthResult[]): string {
  const of = (status: HealthResult['status']) => results.filter((each) => each.status === status).length;
  return (['ok', 'warning', 'failed', 'unknown'] as const)
    .map((status) => [of(status), status] as const)
    .filter(([number]) => number > 0)
    .map(([number, status]) => `${number} ${status}`)
    .join(', ');
}

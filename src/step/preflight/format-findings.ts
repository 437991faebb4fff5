import type { CheckFinding } from './check.ts';

/** Formats findings as one block each, grouping hosts with equal findings. Fixes are not wrapped, so that they can be copied. */
export function formatFindings(findings: readonly CheckFinding[], columns: number, paint: Paint = PLAIN): string {
  return [...groupEqual(findings)].map((group) => block(group, columns, paint)).join('\n');
}

/** Colors parts of the output. */
export interface Paint {
  readonly severity: (text: string, severity: CheckFinding['severity']) => string;
  readonly label: (text: string) => string;
}

const PLAIN: Paint = { severity: (text) => text, label: (text) => text };

/** "3 errors, 1 warning, 2 notes" */
export function summarizeFindings(findings: readonly CheckFinding[]): string {
  const count = (severity: CheckFinding['severity']) => findings.filter((each) => each.severity === severity).length;
  const counts = (['error', 'warning', 'note'] as const)
    .map((severity) => [count(severity), severity] as const)
    .filter(([number]) => number > 0);
  if (counts.length === 0) return 'no findings';
  return counts.map(([number, noun]) => `${number} ${noun}${number === 1 ? '' : 's'}`).join(', ');
}

function groupEqual(findings: readonly CheckFinding[]): Iterable<readonly [CheckFinding, ...CheckFinding[]]> {
  const groups = new Map<string, [CheckFinding, ...CheckFinding[]]>();
  for (const finding of findings) {
    const { host: _, ...rest } = finding;
    const key = JSON.stringify(rest);
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return groups.values();
}

function block(
  [finding, ...others]: readonly [CheckFinding, ...CheckFinding[]],
  columns: number,
  { severity, label }: Paint,
): string {
  const hosts = [finding, ...others].map(({ host }) => host);
  const shown = hosts.length > 8 ? `${hosts.slice(0, 7).join(', ')} and ${hosts.length - 7} more` : hosts.join(', ');
  const line = (name: string, text: string) =>
    `${' '.repeat(INDENT)}${label(name.padEnd(LABEL))}${wrap(text, columns - INDENT - LABEL, INDENT + LABEL)}`;
  return [
    `${severity(finding.severity.padEnd(8), finding.severity)} ${finding.check.padEnd(5)} ${shown}`,
    line('found', finding.found),
    line('wanted', finding.wanted),
    `${' '.repeat(INDENT)}${label('fix'.padEnd(LABEL))}${finding.fix}`,
  ].join('\n');
}

const INDENT = 9;
const LABEL = 8;

/** Breaks between words. */
function wrap(text: string, width: number, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

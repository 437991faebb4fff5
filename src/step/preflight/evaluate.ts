import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Diagnostic } from '../../config/diagnostic/diagnostic.ts';
import { checkOnly } from '../common/check-only.ts';
import { UNREACHABLE_HOSTS } from '../contract/reachability.ts';
import type { StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { ATTEMPTS, FINDINGS, REPORTS } from './cache-keys.ts';
import type { CheckFinding, CheckInput } from './check.ts';
import { checks } from './checks.ts';
import { formatFindings, summarizeFindings } from './format-findings.ts';

/** Options of the preflight checks. */
export interface PreflightOptions {
  /** Ids of checks whose errors are reported as warnings. */
  readonly ignore: readonly string[];
  /** Diagnostics of the cluster file. */
  readonly lint: readonly Diagnostic[];
  /** Every unreachable host is an error. Otherwise unreachable workers only cause a warning and are quarantined. */
  readonly strict: boolean;
  /** Hosts that already run: new hosts are compared with them, and they are not checked themselves. */
  readonly established?: readonly string[];
}

/** The name of the step that reports warnings, which are shown again after the run. */
export const EVALUATE_CHECKS = 'preflight.judge';

/** Evaluates all checks and fails if there is an error, before any host is changed. */
export const evaluateChecks = (cluster: Cluster, options: PreflightOptions): Step =>
  defineStep({
    name: EVALUATE_CHECKS,
    summary: 'Evaluate the preflight checks',
    provides: [FINDINGS],
    needs: [REPORTS],
    parts: () => [
      checkOnly('check:judge', 'evaluate the preflight checks', (ctx) => reportFindings(cluster, options, ctx)),
    ],
  });

function reportFindings(
  cluster: Cluster,
  { lint, strict, ignore, established = [] }: PreflightOptions,
  ctx: StepContext,
): void {
  const { cache } = ctx;
  const reports = [...(cache.get(REPORTS) ?? new Map()).values()];
  const attempts = [...(cache.get(ATTEMPTS) ?? new Map()).values()].flat();
  const unreachable = cache.get(UNREACHABLE_HOSTS) ?? new Map();
  const findings = evaluate({ cluster, reports, unreachable, attempts, lint, strict, established }, ignore);
  cache.set(FINDINGS, findings);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const ids = [...new Set(errors.map(({ check }) => check))].join(',');
    const summary = summarizeFindings(findings);
    throw fail('PREFLIGHT_FAILED', { summary, findings: formatFindings(errors, COLUMNS), ids });
  }
  for (const { host, check, severity, found, wanted } of findings)
    if (severity === 'warning') ctx.say(`${check} ${host}: ${found}; wanted: ${wanted}`);
}

const COLUMNS = 100;

/** The findings of all checks, most severe first; errors of ignored checks become warnings. */
export function evaluate(input: CheckInput, ignore: readonly string[] = []): readonly CheckFinding[] {
  const order = new Map(input.cluster.hosts.map(({ name }, index) => [name, index]));
  const position = ({ host }: CheckFinding) => order.get(host) ?? -1;
  // Reports arrive in any order. Sorted, a check that compares hosts always reports the same one.
  const reports = input.cluster.hosts.flatMap(({ name }) => input.reports.filter(({ host }) => host.name === name));
  return checks
    .flatMap((check) =>
      check
        .evaluate({ ...input, reports })
        .filter(({ host }) => check.involvesOthers || !input.established?.includes(host)),
    )
    .map((finding) =>
      finding.severity === 'error' && ignore.includes(finding.check)
        ? { ...finding, severity: 'warning' as const }
        : finding,
    )
    .toSorted((one, other) => RANK[one.severity] - RANK[other.severity] || position(one) - position(other));
}

const RANK: Readonly<Record<CheckFinding['severity'], number>> = { error: 0, warning: 1, note: 2 };

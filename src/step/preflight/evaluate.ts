import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Diagnostic } from '../../config/diagnostic/diagnostic.ts';
import { defineStep, type Step, type StepContext } from '../contract/step.ts';
import { UNREACHABLE_HOSTS } from '../contract/reachability.ts';
import type { CheckFinding, CheckInput } from './check.ts';
import { checks } from './checks.ts';
import { formatFindings, summaryOf } from './format-findings.ts';
import { ATTEMPTS, FINDINGS, REPORTS } from './cache-keys.ts';
import { checkOnly } from '../common/check-only.ts';

/** How the checks are to be taken. */
export interface PreflightOptions {
  /** Ids of checks whose errors are only told. */
  readonly ignore: readonly string[];
  /** What is to be said of the cluster file. */
  readonly lint: readonly Diagnostic[];
  /** The check is all that is wanted; otherwise hosts that cannot be reached may be set aside. */
  readonly strict: boolean;
}

/** The step that reports warnings; they are shown again after the run. */
export const EVALUATE_CHECKS = 'preflight.judge';

/** Judges what was seen on all hosts together. An error ends the run before anything is changed. */
export const evaluateChecks = (cluster: Cluster, options: PreflightOptions): Step =>
  defineStep({
    name: EVALUATE_CHECKS,
    summary: 'Judge what was seen on the hosts',
    provides: [FINDINGS],
    needs: [REPORTS],
    parts: () => [
      checkOnly('check:judge', 'judge what was seen on the hosts', (ctx) => judgeAll(cluster, options, ctx)),
    ],
  });

function judgeAll(cluster: Cluster, { lint, strict, ignore }: PreflightOptions, ctx: StepContext): void {
  const { cache } = ctx;
  const reports = [...(cache.get(REPORTS) ?? new Map()).values()];
  const attempts = [...(cache.get(ATTEMPTS) ?? new Map()).values()].flat();
  const unreached = cache.get(UNREACHABLE_HOSTS) ?? new Map();
  const findings = judge({ cluster, reports, unreached, attempts, lint, strict }, ignore);
  cache.set(FINDINGS, findings);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const ids = [...new Set(errors.map(({ check }) => check))].join(',');
    throw fail('PREFLIGHT_FAILED', { summary: summaryOf(findings), findings: formatFindings(errors, COLUMNS), ids });
  }
  for (const { host, check, severity, found, wanted } of findings)
    if (severity === 'warning') ctx.say(`${check} ${host}: ${found}; wanted: ${wanted}`);
}

const COLUMNS = 100;

/** What all checks say of a scene, errors first; those of ignored checks are warnings. */
export function judge(scene: CheckInput, ignore: readonly string[] = []): readonly CheckFinding[] {
  const order = new Map(scene.cluster.hosts.map(({ name }, place) => [name, place]));
  const place = ({ host }: CheckFinding) => order.get(host) ?? -1;
  // Hosts answer in any order; of two that are alike, the same one is blamed each time.
  const reports = scene.cluster.hosts.flatMap(({ name }) => scene.reports.filter(({ host }) => host.name === name));
  return checks
    .flatMap((check) => check.judge({ ...scene, reports }))
    .map((finding) =>
      finding.severity === 'error' && ignore.includes(finding.check)
        ? { ...finding, severity: 'warning' as const }
        : finding,
    )
    .toSorted((one, other) => RANK[one.severity] - RANK[other.severity] || place(one) - place(other));
}

const RANK: Readonly<Record<CheckFinding['severity'], number>> = { error: 0, warning: 1, note: 2 };

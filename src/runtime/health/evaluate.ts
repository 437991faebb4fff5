import type { HealthCheck, HealthResult, HealthInput } from './check.ts';
import { api } from './checks/api.ts';
import { certificates } from './checks/certificates.ts';
import { disk } from './checks/disk.ts';
import { dns } from './checks/dns.ts';
import { endpoint } from './checks/endpoint.ts';
import { etcd } from './checks/etcd.ts';
import { exec } from './checks/exec.ts';
import { hosts } from './checks/hosts.ts';
import { nodes } from './checks/nodes.ts';
import { pods } from './checks/pods.ts';
import { services } from './checks/services.ts';
import { time } from './checks/time.ts';

/** All checks. Findings of earlier ones are often the cause of later ones. */
const checks: readonly HealthCheck[] = [
  hosts,
  time,
  etcd,
  services,
  api,
  endpoint,
  nodes,
  pods,
  exec,
  dns,
  certificates,
  disk,
];

export const evaluateHealth = (input: HealthInput): readonly HealthResult[] =>
  checks.map(({ name, condition, evaluate }) => {
    const verdict = evaluate(input);
    const findings = verdict.type === 'evaluated' ? verdict.findings : [];
    return Object.freeze({
      check: name,
      condition,
      status: statusOf(verdict.type, findings),
      found: verdict.found,
      findings,
    });
  });

function statusOf(type: 'evaluated' | 'unknown', findings: HealthResult['findings']): HealthResult['status'] {
  if (type === 'unknown') return 'unknown';
  if (findings.some(({ severity }) => severity === 'failed')) return 'failed';
  return findings.length > 0 ? 'warning' : 'ok';
}

/** Warnings count as healthy, unknown results do not. */
export const isHealthy = (results: readonly HealthResult[]): boolean =>
  results.every(({ status }) => status === 'ok' || status === 'warning');

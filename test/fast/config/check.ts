import { readFileSync } from 'node:fs';
import { checkClusterText, type Checked } from '../../../src/config/load/check.ts';
import { formatDiagnostic, type Severity } from '../../../src/config/diagnostic/diagnostic.ts';

/** A date on which the Kubernetes releases in the fixtures are maintained. */
export const TODAY = new Date('2026-11-01');

export const fixture = (name: string) => readFileSync(`test/fixtures/${name}`, 'utf8');

export const check = (text: string, overrides: readonly string[] = []): Checked =>
  checkClusterText(text, 'c.yaml', { overrides, today: TODAY });

/** The formatted diagnostics of one severity. */
export const lines = ({ diagnostics }: Checked, severity: Severity = 'error') =>
  diagnostics.filter((each) => each.severity === severity).map(formatDiagnostic);

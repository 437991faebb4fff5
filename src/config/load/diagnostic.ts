/** How much a finding matters: errors stop, warnings are told apart, notes explain what was read as what. */
export type Severity = 'error' | 'warning' | 'note';

/** One thing to say about a cluster file, with the place where it stands. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable name of the rule, to search for. */
  readonly rule: string;
  /** "cluster.yaml:12:5", or "-e kubernetes.version=1" for a value from the command line. */
  readonly place: string;
  /** "spec.hosts[0].port" */
  readonly path: string;
  readonly message: string;
  readonly got?: string;
  readonly allowed?: readonly string[];
  readonly nearest?: string;
}

/** `place path: what, got, allowed`: one finding as one line. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { place, path, message, got, allowed, nearest } = diagnostic;
  const parts = [
    message,
    got !== undefined && `got ${got}`,
    allowed && allowed.length > 0 && `allowed: ${allowed.join(', ')}`,
  ].filter(Boolean);
  const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
  return `${place}${path && ` ${path}`}: ${parts.join(', ')}${hint}`;
}

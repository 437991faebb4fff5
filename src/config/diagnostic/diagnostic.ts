/** An error makes the cluster file invalid, a warning does not, and a note explains how a value was interpreted. */
export type Severity = 'error' | 'warning' | 'note';

/** A message about a cluster file, with the location it refers to. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Rule ID that users can search for; it never changes. */
  readonly rule: string;
  /** The location, such as "cluster.yaml:12:5", or "-e kubernetes.version" for a value from the command line. */
  readonly place: string;
  /** The path of the value, such as "spec.hosts[0].port". */
  readonly path: string;
  readonly message: string;
  readonly got?: string;
  readonly allowed?: readonly string[];
  readonly nearest?: string;
}

/** Formats a diagnostic as one line: `location path: message, got, allowed`. */
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

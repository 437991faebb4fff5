import { fail } from '../../common/errors/errors.ts';
import { formatDiagnostic, type Diagnostic } from '../../config/diagnostic/diagnostic.ts';
import type { Checked } from '../../config/load/check.ts';
import type { LoadedCluster } from '../../config/load/load.ts';

/** A valid cluster file after a change, with warnings caused by the change. */
export interface CheckedChange extends LoadedCluster {
  readonly warnings: readonly Diagnostic[];
}

/** Compares a cluster file before and after a change. Throws if the change makes it invalid. */
export function checkChange(path: string, before: Checked, after: Checked): CheckedChange {
  const { cluster, diagnostics } = after;
  if (cluster) return { cluster, diagnostics, warnings: newFindings(before, after, 'warning') };
  const errors = newFindings(before, after, 'error').map((each) =>
    formatDiagnostic({ ...each, place: '' }).trimStart(),
  );
  throw fail('CLUSTER_FILE_WOULD_BE_INVALID', { path, findings: errors.join('\n') });
}

/** Returns the findings that only the second file has. Ignores positions, which may differ. */
function newFindings(before: Checked, after: Checked, severity: Diagnostic['severity']): readonly Diagnostic[] {
  const keyOf = ({ rule, path }: Diagnostic) => `${rule} ${path}`;
  const known = new Set(before.diagnostics.map(keyOf));
  return after.diagnostics.filter((each) => each.severity === severity && !known.has(keyOf(each)));
}

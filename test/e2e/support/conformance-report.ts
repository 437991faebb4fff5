/** A Kubernetes conformance spec and its result. */
export interface Spec {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly failure: string;
  readonly seconds: number;
}

/** Parses the conformance specs of a Ginkgo report. */
export function parseSpecs(report: string): readonly Spec[] {
  const suites: readonly Suite[] = JSON.parse(report);
  return suites
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .map(specOf)
    .filter(({ title, state }) => title.includes('[Conformance]') || state === 'failed');
}

interface Suite {
  readonly SpecReports: readonly SpecReport[] | null;
}

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
  readonly RunTime?: number;
  readonly Failure?: { readonly Message?: string };
}

const specOf = ({
  ContainerHierarchyTexts,
  LeafNodeType,
  LeafNodeText,
  State,
  RunTime,
  Failure,
}: SpecReport): Spec => ({
  title: [...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(' '),
  state: State === 'passed' ? 'passed' : State === 'skipped' || State === 'pending' ? 'skipped' : 'failed',
  failure: Failure?.Message ?? '',
  seconds: (RunTime ?? 0) / 1e9,
});

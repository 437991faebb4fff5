/** A Pod that is not ready, and the state of its containers. */
export interface NotReadyPod {
  readonly namespace: string;
  readonly name: string;
  /** Empty while it is not scheduled. */
  readonly node: string;
  readonly owner: { readonly kind: string; readonly name: string };
  readonly containers: readonly NotReadyContainer[];
}

/** A container of a Pod that is not ready, including init containers. */
export interface NotReadyContainer {
  readonly name: string;
  /** "Running", or the reason why it waits or ended: "CrashLoopBackOff". */
  readonly state: string;
  readonly restarts: number;
  readonly message: string;
}

/** Parses what kubectl prints with the template `NOT_READY_PODS`. */
export function parseNotReadyPods(text: string): readonly NotReadyPod[] {
  const rows = text.split('\n').map((line) => line.split('\t'));
  const pods: NotReadyPod[] = [];
  const containers: NotReadyContainer[][] = [];
  for (const [kind, ...fields] of rows) {
    if (kind === 'pod') {
      const [namespace = '', name = '', node = '', ownerKind = '', ownerName = ''] = fields;
      containers.push([]);
      pods.push({ namespace, name, node, owner: { kind: ownerKind, name: ownerName }, containers: containers.at(-1)! });
    }
    if (kind === 'container') {
      const [name = '', state = '', restarts = '', message = ''] = fields;
      containers.at(-1)?.push({ name, state, restarts: Number(restarts), message: unquote(message) });
    }
  }
  return pods;
}

/** Prints a line for each Pod that is not ready and for each of its containers: a large cluster has many that are. */
export const NOT_READY_PODS = [
  '{{range .items}}{{$ready := ""}}{{range .status.conditions}}{{if eq .type "Ready"}}{{$ready = .status}}{{end}}{{end}}',
  String.raw`{{if ne $ready "True"}}{{"pod\t"}}{{.metadata.namespace}}{{"\t"}}{{.metadata.name}}{{"\t"}}{{or .spec.nodeName ""}}`,
  String.raw`{{range .metadata.ownerReferences}}{{"\t"}}{{.kind}}{{"\t"}}{{.name}}{{end}}{{"\n"}}`,
  '{{range .status.initContainerStatuses}}CONTAINER{{end}}{{range .status.containerStatuses}}CONTAINER{{end}}{{end}}{{end}}',
]
  .join('')
  .replaceAll(
    'CONTAINER',
    String.raw`{{if not .ready}}{{$message := ""}}{{"container\t"}}{{.name}}{{"\t"}}` +
      '{{with .state.waiting}}{{or .reason ""}}{{if .message}}{{$message = .message}}{{end}}{{end}}' +
      '{{with .state.terminated}}{{or .reason ""}}{{if .message}}{{$message = .message}}{{end}}{{end}}' +
      String.raw`{{if .state.running}}Running{{end}}{{"\t"}}{{.restartCount}}{{"\t"}}{{printf "%q" $message}}{{"\n"}}{{end}}`,
  );

/** Reads a quoted Go string. */
function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

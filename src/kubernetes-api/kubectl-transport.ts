import type { Connector, ExecResult } from '../connector/connector.ts';
import { quote } from '../connector/quote.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from './transport.ts';

/** How to run kubectl on a master. */
export interface KubectlOptions {
  readonly connector: Connector;
  /** A command line on the master that runs kubectl with these quoted arguments against its own API server. */
  readonly kubectl: (args: string) => string;
}

/** Requests with kubectl on a master, for hosts that forbid TCP forwarding. A call takes about 100 times as long. */
export function kubectlTransport({ connector, kubectl }: KubectlOptions): ApiTransport {
  return Object.freeze<ApiTransport>({
    host: connector.host,
    via: 'kubectl',
    stream: undefined,
    async send(request, signal) {
      const script = kubectl(argsOf(request));
      const stdin = request.body === undefined ? '' : JSON.stringify(request.body);
      const result =
        request.method === 'GET'
          ? await connector.query(script, { signal })
          : await connector.exec(script, { stdin, signal });
      return responseOf(result);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

/** All requests but patches are sent as they are. */
function argsOf({ method, path, body, contentType }: ApiRequest): string {
  const input = body === undefined ? '' : ' -f -';
  switch (method) {
    case 'GET':
      return `get --raw ${quote(path)}`;
    case 'POST':
      return `create --raw ${quote(path)}${input}`;
    case 'DELETE':
      return `delete --raw ${quote(path)}${input}`;
    case 'PATCH': {
      const { groups: { group = '', namespace, resource = '', name = '' } = {} } = OBJECT_PATH.exec(path) ?? {};
      const kind = group === '' ? resource : `${resource}.${group}`;
      const within = namespace === undefined ? '' : ` --namespace ${quote(namespace)}`;
      const type = contentType === 'application/merge-patch+json' ? 'merge' : 'strategic';
      return `patch ${quote(kind)} ${quote(name)}${within} --type ${type} --patch-file /dev/stdin -o json`;
    }
  }
}

const OBJECT_PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)\/(?<name>[^/?]+)/;

/** Throws unless the API server responded. */
function responseOf({ exit, stdout, stderr }: ExecResult): ApiResponse {
  if (exit === 0) return { status: 200, body: stdout };
  const [found, reason = '', message = ''] = /Error from server(?: \((\w+)\))?: (.*)/s.exec(stderr) ?? [];
  const status = found === undefined ? undefined : (STATUSES[reason] ?? 500);
  if (status === undefined) throw new Error(stderr.trim().split('\n').at(-1) || `kubectl exited with ${exit}`);
  return { status, body: JSON.stringify({ kind: 'Status', reason, message: message.trim() }) };
}

/** kubectl prints the reason of an error, but not its HTTP status. */
const STATUSES: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  AlreadyExists: 409,
  Gone: 410,
  Expired: 410,
  Invalid: 422,
  TooManyRequests: 429,
};

import { BALANCER_HEALTH_PORT } from '../../config/model/ports.ts';
import type { Backend } from './backend.ts';

/** A script that exits with 0 while this host's load balancer is healthy. It needs only bash. */
export const healthCheckScript = (): string => `#!/bin/bash
# Written by kubexm.
exec 3<>/dev/tcp/127.0.0.1/${BALANCER_HEALTH_PORT} || exit 1
printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3
read -r -t 2 line <&3 && [[ $line == *' 200'* ]]
`;

/** A script for keepalived that exits with 0 while the load balancer on this host runs, whatever it reports. */
export const runningCheckScript = (): string => `#!/bin/bash
# Written by kubexm.
${REQUEST} || exit 1
read -r -t 2 line <&3 && [[ $line == HTTP/* ]]
`;

/** How keepalived finds out whether a load balancer reaches an API server. */
export interface ApiCheckOptions {
  /** A file that exists once the cluster has a control plane. Before, no API server can be reached. */
  readonly marker: string;
  /** For a proxy that does not know whether its backends are ready. */
  readonly connectTo: readonly Backend[];
}

/** A script for keepalived that exits with 0 while the load balancer on this host reaches an API server. It needs only bash. */
export const apiCheckScript = ({ marker, connectTo }: ApiCheckOptions): string => `#!/bin/bash
# Written by kubexm.
[ -e ${marker} ] || exit 0
# The other script reports a proxy that does not run.
${REQUEST} || exit 0
read -r -t 2 line <&3 && [[ $line == *' 200'* ]] || exit 1
${connectTo.length === 0 ? '' : connectToAny(connectTo)}`;

const REQUEST = `exec 3<>/dev/tcp/127.0.0.1/${BALANCER_HEALTH_PORT} && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3`;

const connectToAny = (backends: readonly Backend[]) => `for at in ${backends.map(pathOf).join(' ')}; do
  timeout 1 bash -c "exec 3<>/dev/tcp/$at" 2>/dev/null &
done
for attempt in $(jobs -p); do wait "$attempt" && exit 0; done
exit 1
`;

/** "10.0.0.1/6443" */
const pathOf = ({ address }: Backend) => address.replace(/^\[?(.*?)\]?:(\d+)$/, '$1/$2');

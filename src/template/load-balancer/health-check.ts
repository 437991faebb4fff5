import { BALANCER_HEALTH_PORT } from '../../config/model/ports.ts';

/** A script that exits with 0 while this host's load balancer is healthy. It needs only bash. */
export const healthCheckScript = (): string => `#!/bin/bash
# Written by kubexm.
exec 3<>/dev/tcp/127.0.0.1/${BALANCER_HEALTH_PORT} || exit 1
printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3
read -r -t 2 line <&3 && [[ $line == *' 200'* ]]
`;

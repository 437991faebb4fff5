import type { OpenPort } from '../config/model/port-table.ts';

/** A ufw application profile with all open ports. */
export const ufwProfile = (ports: readonly OpenPort[]): string => `# Written by kubexm.
[kubexm]
title=kubexm
description=What the roles of this host in its Kubernetes cluster need.
ports=${ports.map(ufwPort).join('|')}
`;

/** In ufw syntax: 30000:32767/tcp. */
export const ufwPort = ({ protocol, port, to }: OpenPort) => `${to === undefined ? port : `${port}:${to}`}/${protocol}`;

import type { OpenPort } from '../config/model/ports.ts';

/** A profile of ufw that names all ports that are open. */
export const ufwProfile = (ports: readonly OpenPort[]): string => `# Written by kubexm.
[kubexm]
title=kubexm
description=What the roles of this host in its Kubernetes cluster need.
ports=${ports.map(ufwPort).join('|')}
`;

/** As ufw writes it: 30000:32767/tcp. */
export const ufwPort = ({ protocol, port, to }: OpenPort) => `${to === undefined ? port : `${port}:${to}`}/${protocol}`;

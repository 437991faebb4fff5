import type { OpenPort } from '../config/model/port-table.ts';

/** ufw application profiles: the ports that are open to everybody, and those that only hosts of the cluster may use. */
export const ufwProfiles = (ports: readonly OpenPort[]): string => {
  const [clusterOnly, open] = [ports.filter(({ inCluster }) => inCluster), ports.filter(({ inCluster }) => !inCluster)];
  return `# Written by kubexm.
${profile('kubexm', 'What the roles of this host in its Kubernetes cluster need.', open)}${
    clusterOnly.length === 0
      ? ''
      : `\n${profile(UFW_CLUSTER_PROFILE, 'What only hosts of its Kubernetes cluster need.', clusterOnly)}`
  }`;
};

export const UFW_CLUSTER_PROFILE = 'kubexm-cluster';

const profile = (name: string, description: string, ports: readonly OpenPort[]) => `[${name}]
title=${name}
description=${description}
ports=${ports.map(ufwPort).join('|')}
`;

/** In ufw syntax: 30000:32767/tcp. */
export const ufwPort = ({ protocol, port, to }: OpenPort) => `${to === undefined ? port : `${port}:${to}`}/${protocol}`;

export interface ChronyOptions {
  /** Names or addresses of upstream time servers. */
  readonly servers: readonly string[];
  /** Addresses that may use this host as their time server. Empty if the host is only a client. */
  readonly clients: readonly string[];
  readonly driftFile: string;
}

/** The text of chrony.conf. */
export const chronyConf = ({ servers, clients, driftFile }: ChronyOptions): string => `# Written by kubexm.
${servers.map((server) => `${/(^|\.)pool\./.test(server) ? 'pool' : 'server'} ${server} iburst\n`).join('')}driftfile ${driftFile}
makestep 1.0 3
rtcsync
${clients.length === 0 ? '' : serverLines(clients)}`;

// Without upstream servers the host still keeps its clients in sync with each other.
const serverLines = (clients: readonly string[]) => `local stratum 10
${clients.map((address) => `allow ${address}\n`).join('')}`;

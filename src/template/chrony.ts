/** What chrony is told. */
export interface ChronyOptions {
  /** Names or addresses of the servers that it asks. */
  readonly servers: readonly string[];
  /** Addresses that it answers; it is a client only if there are none. */
  readonly answers: readonly string[];
  readonly driftFile: string;
}

/** The text of chrony.conf. */
export const chronyConf = ({ servers, answers, driftFile }: ChronyOptions): string => `# Written by kubexm.
${servers.map((server) => `${/(^|\.)pool\./.test(server) ? 'pool' : 'server'} ${server} iburst\n`).join('')}driftfile ${driftFile}
makestep 1.0 3
rtcsync
${answers.length === 0 ? '' : serving(answers)}`;

// A server that cannot ask anybody still keeps the others together: they all have its time.
const serving = (answers: readonly string[]) => `local stratum 10
${answers.map((address) => `allow ${address}\n`).join('')}`;

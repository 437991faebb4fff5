import { stringify } from 'yaml';

/** The text of /etc/crictl.yaml. */
export const crictlConfig = (endpoint: string): string =>
  `# Written by kubexm.\n${stringify({
    'runtime-endpoint': endpoint,
    'image-endpoint': endpoint,
    timeout: 30,
    debug: false,
  })}`;

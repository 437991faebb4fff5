import { stringify } from 'yaml';

/** The text of /etc/crictl.yaml. */
export const crictlConfig = (socket: string): string =>
  `# Written by kubexm.\n${stringify({
    'runtime-endpoint': `unix://${socket}`,
    'image-endpoint': `unix://${socket}`,
    timeout: 30,
    debug: false,
  })}`;

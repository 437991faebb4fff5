import { scriptOn, tryOnMachine, type Machine } from '../../../src/lab/machine/machine.ts';
import { sh } from '../../../src/runner/command.ts';
import { command } from '../../../src/step/common/command.ts';
import { file } from '../../../src/step/common/file.ts';
import { defineStep, type Step } from '../../../src/step/contract/step.ts';

const EFFECTS = '/root/effects';

/** Writes a file, then does something whose times can be counted. */
export const WORK: readonly Step[] = [
  defineStep({
    name: 'trial.file',
    summary: 'Write a file',
    parts: () => [file({ path: '/etc/trial/first', content: 'first\n' })],
  }),
  effectStep('trial.effect'),
];

/** Leaves one more line each time it is run; other commands may go before and after. */
export function effectStep(name: string, { before = ':', after = ':', timeoutMs = 120_000, retries = 0 } = {}): Step {
  const text = `${before}; echo ${name} >>${EFFECTS}; ${after}`;
  return defineStep({
    name,
    summary: 'Take effect',
    timeoutMs,
    retries,
    parts: () => [
      command({
        summary: 'take effect',
        look: sh`grep -qsx ${name} ${EFFECTS}`,
        run: { text, display: text },
      }),
    ],
  });
}

/** How often each machine was worked on. */
export const effectsOf = (machines: readonly Machine[]): Promise<readonly number[]> =>
  Promise.all(
    machines.map(
      async (machine) => (await tryOnMachine(machine, ['cat', EFFECTS])).stdout.split('\n').filter(Boolean).length,
    ),
  );

/** Takes everything away that trials leave on machines. */
export async function forgetEffects(machines: readonly Machine[]): Promise<void> {
  await Promise.all(machines.map((machine) => scriptOn(machine, `rm -rf ${EFFECTS} /etc/trial /opt/trial`)));
}

export const HOST_KEY = '/etc/ssh/ssh_host_ed25519_key';

/** Shell scripts that give a machine another host key, and its own again. */
export const newHostKey = `cp ${HOST_KEY} /root/key; yes | ssh-keygen -q -t ed25519 -N '' -f ${HOST_KEY} >/dev/null; systemctl restart ssh`;
export const oldHostKey = `cp /root/key ${HOST_KEY}; ssh-keygen -y -f ${HOST_KEY} >${HOST_KEY}.pub; systemctl restart ssh`;

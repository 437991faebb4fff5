import { scriptOn, tryOnMachine, type Machine } from '../../../src/lab/machine/machine.ts';
import { sh } from '../../../src/runner/command.ts';
import { command } from '../../../src/step/common/command.ts';
import { file } from '../../../src/step/common/file.ts';
import { defineStep, type Step } from '../../../src/step/contract/step.ts';

const EFFECTS = '/root/effects';

/** Writes a file, then runs a command whose executions can be counted. */
export const TRIAL_STEPS: readonly Step[] = [
  defineStep({
    name: 'trial.file',
    summary: 'Write a file',
    parts: () => [file({ path: '/etc/trial/first', content: 'first\n' })],
  }),
  effectStep('trial.effect'),
];

/** A step that appends a line each time it runs; `before` and `after` are additional commands. */
export function effectStep(name: string, { before = ':', after = ':', timeoutMs = 120_000, retries = 0 } = {}): Step {
  const text = `${before}; echo ${name} >>${EFFECTS}; ${after}`;
  return defineStep({
    name,
    summary: 'Append a line',
    timeoutMs,
    retries,
    parts: () => [
      command({
        key: 'command:append',
        summary: 'append a line',
        check: sh`grep -qsx ${name} ${EFFECTS}`,
        run: { text, display: text },
      }),
    ],
  });
}

/** The number of effects on each machine. */
export const effectsOf = (machines: readonly Machine[]): Promise<readonly number[]> =>
  Promise.all(
    machines.map(
      async (machine) => (await tryOnMachine(machine, ['cat', EFFECTS])).stdout.split('\n').filter(Boolean).length,
    ),
  );

/** Removes everything that these steps leave on the machines. */
export async function removeEffects(machines: readonly Machine[]): Promise<void> {
  await Promise.all(machines.map((machine) => scriptOn(machine, `rm -rf ${EFFECTS} /etc/trial /opt/trial`)));
}

export const HOST_KEY = '/etc/ssh/ssh_host_ed25519_key';

/** Shell scripts that replace the host key of a machine and restore the original. */
export const replaceHostKey = `cp ${HOST_KEY} /root/key; yes | ssh-keygen -q -t ed25519 -N '' -f ${HOST_KEY} >/dev/null; systemctl restart ssh`;
export const restoreHostKey = `cp /root/key ${HOST_KEY}; ssh-keygen -y -f ${HOST_KEY} >${HOST_KEY}.pub; systemctl restart ssh`;

import { sh } from '../../runner/command.ts';
import { textOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { editedFile, restoreEdited, type Edited } from '../common/edited-file.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';
import { undoIfUnchanged } from '../common/undo-if-unchanged.ts';

/** Sets the hostname to the name of the host in the cluster file. */
export const hostname = defineStep({
  name: 'os.hostname',
  summary: 'Set the hostname',
  reversible: true,
  parts: ({ host: { name } }) => [
    undoIfUnchanged(isWritten(name), writtenName(name)),
    undoIfUnchanged(isLive(name), liveName(name)),
  ],
});

const hostnameEdit: Edited = { path: '/etc/hostname', copy: '/etc/hostname', undo: (_, original) => original };

/** Restores /etc/hostname. */
export const restoreHostnameFile: Restore = (ctx, _, before) => restoreEdited(ctx, hostnameEdit, before);

const writtenName = (name: string) =>
  editedFile({
    ...hostnameEdit,
    key: 'hostname-file:/etc/hostname',
    summary: 'write /etc/hostname',
    formerly: ['/etc/hostname', 'write /etc/hostname'],
    edit: (text) => (text.trim() === name ? text : `${name}\n`),
    because: 'hostname differs',
  });

/** Not every system has the hostname command. */
const setLiveName = (name: string) => sh`printf %s ${name} >/proc/sys/kernel/hostname`;

const liveName = (name: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'live-hostname:kernel',
    summary: `set the hostname to ${name}`,
    formerly: ['live host name', `call the host ${name}`],
    async precheck({ runner }) {
      const now = (await runner.read('/proc/sys/kernel/hostname'))?.trim() ?? '';
      return findingOf(now === name ? [] : [`hostname is ${now}`]);
    },
    remember: async ({ runner }) => ({ name: (await runner.read('/proc/sys/kernel/hostname'))?.trim() ?? '' }),
    async run({ runner }) {
      await runner.run(setLiveName(name));
    },
    rollback: (ctx, before) => restoreLiveHostname(ctx, 'kernel', before),
  });

/** Restores the previous hostname of the running kernel. */
export const restoreLiveHostname: Restore = async ({ runner }, _, before) => {
  if (textOf(before, 'name') !== '') await runner.run(setLiveName(textOf(before, 'name')));
};

/** Whether the host still has the name that kubexm set. */
export const isHostnameUnchanged = (ctx: StepContext, key: string): Promise<boolean> =>
  ctx.runner.test(key.startsWith('hostname-file:') ? isWritten(ctx.host.name) : isLive(ctx.host.name));

const isWritten = (name: string) => sh`[ "$(cat /etc/hostname)" = ${name} ]`;
const isLive = (name: string) => sh`[ "$(cat /proc/sys/kernel/hostname)" = ${name} ]`;

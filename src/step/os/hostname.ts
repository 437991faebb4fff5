import { sh } from '../../runner/command.ts';
import { textOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { editedFile } from '../common/edited-file.ts';
import { defineStep, type GenericStep } from '../contract/step.ts';
import { whileOurs } from '../common/while-ours.ts';

/** The host has the name that the cluster knows it by (OS4). */
export const hostname = defineStep({
  name: 'os.hostname',
  summary: 'Give the host the name that the cluster knows it by',
  reversible: true,
  parts: ({ host: { name } }) => [
    whileOurs(sh`[ "$(cat /etc/hostname)" = ${name} ]`, writtenName(name)),
    whileOurs(sh`[ "$(cat /proc/sys/kernel/hostname)" = ${name} ]`, liveName(name)),
  ],
});

const writtenName = (name: string) =>
  editedFile({
    path: '/etc/hostname',
    summary: 'write /etc/hostname',
    state: '/etc/hostname',
    edit: (text) => (text.trim() === name ? text : `${name}\n`),
    undo: (_, original) => original,
    because: 'it has another name',
  });

/** Not every system has the command hostname. */
const call = (name: string) => sh`printf %s ${name} >/proc/sys/kernel/hostname`;

const liveName = (name: string): GenericStep =>
  Object.freeze<GenericStep>({
    summary: `call the host ${name}`,
    state: 'live host name',
    async precheck({ runner }) {
      const now = (await runner.read('/proc/sys/kernel/hostname'))?.trim() ?? '';
      return findingOf(now === name ? [] : [`its name is ${now}`]);
    },
    remember: async ({ runner }) => ({ name: (await runner.read('/proc/sys/kernel/hostname'))?.trim() ?? '' }),
    async run({ runner }) {
      await runner.run(call(name));
    },
    async rollback({ runner }, before) {
      if (textOf(before, 'name') !== '') await runner.run(call(textOf(before, 'name')));
    },
  });

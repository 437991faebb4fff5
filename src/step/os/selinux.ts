import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { flagOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { editedFile, restoreEdited, type Edited } from '../common/edited-file.ts';
import { settingIn, withSetting } from '../common/text/setting.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';

/** SELinux does not stand in the way, where there is one (OS1). */
export const selinux = ({ system: { selinux: mode } }: Cluster) =>
  defineStep({
    name: 'os.selinux',
    summary: 'Set the mode of SELinux',
    reversible: true,
    parts: () => (mode === 'keep' ? [] : [configured(mode), notEnforcing]),
  });

/** Off is permissive enough; it is never switched on. */
const ACCEPTED = { permissive: ['permissive', 'disabled'], disable: ['disabled'] } as const;

function configured(mode: keyof typeof ACCEPTED): GenericStep {
  const accepted: readonly string[] = ACCEPTED[mode];
  const [wanted = 'permissive'] = accepted;
  return editedFile({
    ...configEdit,
    key: 'selinux-config:/etc/selinux/config',
    summary: `set SELinux to ${wanted} from the next boot on`,
    formerly: ['SELinux config', `set SELinux to ${wanted} from the next boot on`],
    edit: (text) => (accepted.includes(settingIn(text, KEY) ?? '') ? text : withSetting(text, KEY, wanted)),
    because: 'it says something else',
    onlyIfThere: true,
  });
}

const KEY = 'SELINUX';

const configEdit: Edited = {
  path: '/etc/selinux/config',
  copy: 'SELinux config',
  undo: (text, original) => withSetting(text, KEY, settingIn(original, KEY) ?? 'enforcing'),
};

/** Brings back the mode in /etc/selinux/config. */
export const restoreSelinuxConfig: Restore = (ctx, _, before) => restoreEdited(ctx, configEdit, before);

const ENFORCE = '/sys/fs/selinux/enforce';

const isEnforcing = async ({ runner }: StepContext) => (await runner.read(ENFORCE))?.trim() === '1';

const notEnforcing: GenericStep = Object.freeze<GenericStep>({
  key: 'selinux-mode:live',
  summary: 'let SELinux only warn',
  formerly: ['let SELinux only warn'],
  precheck: async (ctx) => findingOf((await isEnforcing(ctx)) ? ['it is enforcing'] : []),
  remember: async (ctx) => ({ enforcing: await isEnforcing(ctx) }),
  async run({ runner }) {
    await runner.run(sh`setenforce 0`);
  },
  rollback: (ctx, before) => restoreSelinuxMode(ctx, 'live', before),
});

/** Lets SELinux enforce again if it did. */
export const restoreSelinuxMode: Restore = async ({ runner }, _, before) => {
  if (flagOf(before, 'enforcing')) await runner.run(sh`[ ! -e ${ENFORCE} ] || setenforce 1`);
};

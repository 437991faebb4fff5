import type { Cluster } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { flagOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import { editedFile, restoreEdited, type Edited } from '../common/edited-file.ts';
import { settingIn, withSetting } from '../common/text/setting.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';

/** Sets SELinux to permissive or disabled on hosts that have it. */
export const selinux = ({ system: { selinux: mode } }: Cluster) =>
  defineStep({
    name: 'os.selinux',
    summary: 'Set the SELinux mode',
    reversible: true,
    parts: () => (mode === 'keep' ? [] : [configured(mode), notEnforcing]),
  });

/** Accepts disabled SELinux as permissive; never enables SELinux. */
const ACCEPTED = { permissive: ['permissive', 'disabled'], disable: ['disabled'] } as const;

function configured(mode: keyof typeof ACCEPTED): GenericStep {
  const accepted: readonly string[] = ACCEPTED[mode];
  const [wanted = 'permissive'] = accepted;
  return editedFile({
    ...configEdit,
    key: 'selinux-config:/etc/selinux/config',
    summary: `set SELINUX=${wanted} in /etc/selinux/config`,
    formerly: ['SELinux config', `set SELinux to ${wanted} from the next boot on`],
    edit: (text) => (accepted.includes(settingIn(text, KEY) ?? '') ? text : withSetting(text, KEY, wanted)),
    because: 'SELinux mode differs',
    onlyIfExists: true,
  });
}

const KEY = 'SELINUX';

const configEdit: Edited = {
  path: '/etc/selinux/config',
  copy: 'SELinux config',
  undo: (text, original) => withSetting(text, KEY, settingIn(original, KEY) ?? 'enforcing'),
};

/** Restores the mode in /etc/selinux/config. */
export const restoreSelinuxConfig: Restore = (ctx, _, before) => restoreEdited(ctx, configEdit, before);

const ENFORCE = '/sys/fs/selinux/enforce';

const isEnforcing = async ({ runner }: StepContext) => (await runner.read(ENFORCE))?.trim() === '1';

const notEnforcing: GenericStep = Object.freeze<GenericStep>({
  key: 'selinux-mode:live',
  summary: 'set SELinux to permissive',
  formerly: ['let SELinux only warn'],
  precheck: async (ctx) => findingOf((await isEnforcing(ctx)) ? ['enforcing'] : []),
  remember: async (ctx) => ({ enforcing: await isEnforcing(ctx) }),
  async run({ runner }) {
    await runner.run(sh`setenforce 0`);
  },
  rollback: (ctx, before) => restoreSelinuxMode(ctx, 'live', before),
});

/** Sets SELinux to enforcing if it was before. */
export const restoreSelinuxMode: Restore = async ({ runner }, _, before) => {
  if (flagOf(before, 'enforcing')) await runner.run(sh`[ ! -e ${ENFORCE} ] || setenforce 1`);
};

import { sh, type Command } from '../../runner/command.ts';
import { flagOf, textOf } from '../../util/json-fields.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

export interface UserOptions {
  readonly name: string;
  /** A system account without a home directory; true by default. */
  readonly system?: boolean;
  /** Chosen by the host by default. */
  readonly uid?: number;
  /** "/nonexistent" by default. */
  readonly home?: string;
  /** "/usr/sbin/nologin" by default. */
  readonly shell?: string;
}

/** Ensures that the user exists with its own group and this UID, home and shell. */
export function user(options: UserOptions): GenericStep {
  const { name, uid, home = '/nonexistent', shell = '/usr/sbin/nologin' } = options;
  const account = { name, home, shell, ...(uid !== undefined && { uid: String(uid) }) };
  return Object.freeze<GenericStep>({
    key: `user:${name}`,
    summary: `create user ${name}`,
    formerly: [`make the user ${name}`],
    async precheck(ctx) {
      const now = await inspect(ctx, name);
      if (now === undefined) return findingOf(['does not exist']);
      return findingOf([
        ...(account.uid === undefined || now.uid === account.uid ? [] : [`UID is ${now.uid}, want ${account.uid}`]),
        ...(now.home === home ? [] : [`home is ${now.home}, want ${home}`]),
        ...(now.shell === shell ? [] : [`shell is ${now.shell}, want ${shell}`]),
      ]);
    },
    async remember(ctx) {
      const [now, group] = await Promise.all([
        inspect(ctx, name),
        ctx.runner.test(sh`getent group ${name} >/dev/null`),
      ]);
      return { exists: now !== undefined, group, uid: now?.uid ?? '', home: now?.home ?? '', shell: now?.shell ?? '' };
    },
    async run(ctx) {
      const [now, group] = await Promise.all([
        inspect(ctx, name),
        ctx.runner.test(sh`getent group ${name} >/dev/null`),
      ]);
      const make = sh`useradd ${options.system === false ? '--create-home' : '--system'} ${group ? '--gid' : '--user-group'}`;
      const flags = flagsOf(account);
      if (now !== undefined) await ctx.runner.run(sh`usermod ${flags} ${name}`);
      else await ctx.runner.run(group ? sh`${make} ${name} ${flags} ${name}` : sh`${make} ${flags} ${name}`);
    },
    rollback: (ctx, before) => restoreUser(ctx, name, before),
  });
}

/** Removes the user and the group, or restores the account. */
export const restoreUser: Restore = async (ctx, name, before) => {
  const [now, group] = await Promise.all([inspect(ctx, name), ctx.runner.test(sh`getent group ${name} >/dev/null`)]);
  if (flagOf(before, 'exists')) {
    const was = { uid: textOf(before, 'uid'), home: textOf(before, 'home'), shell: textOf(before, 'shell') };
    await ctx.runner.run(sh`usermod ${flagsOf(was)} ${name}`);
    return;
  }
  if (now !== undefined) await ctx.runner.run(sh`userdel ${name}`);
  if (group && !flagOf(before, 'group'))
    await ctx.runner.run(sh`groupdel ${name} 2>/dev/null || ! getent group ${name}`);
};

async function inspect({ runner }: StepContext, name: string) {
  const { exit, stdout } = await runner.query(sh`getent passwd ${name}`);
  if (exit !== 0) return undefined;
  const [, , uid = '', , , home = '', shell = ''] = stdout.trim().split(':');
  return { uid, home, shell };
}

const flagsOf = ({
  uid,
  home,
  shell,
}: {
  readonly uid?: string;
  readonly home: string;
  readonly shell: string;
}): Command =>
  uid === undefined ? sh`--home ${home} --shell ${shell}` : sh`--uid ${uid} --home ${home} --shell ${shell}`;

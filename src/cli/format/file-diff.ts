import { MASK } from '../../common/secret.ts';
import { isSecretKey } from '../../config/model/secrets.ts';
import type { FileChange } from '../../state/cluster-file.ts';
import { unifiedDiff } from '../../util/unified-diff.ts';

/** Compares a cluster file before and after a change. Masks secrets, also short ones and those with escaped characters. */
export const fileDiff = ({ path, before, after }: FileChange): string =>
  unifiedDiff(path, before.replaceAll('\r', ''), after.replaceAll('\r', '')).replaceAll(
    FIELD,
    (all, key: string, colon: string) => (isSecretKey(key) ? `${key}${colon}${MASK}` : all),
  );

/** A key and a plain or quoted value. References such as {env: NAME}, aliases and block scalars are not values. */
const FIELD = /\b([a-zA-Z]+)(["']?:[ \t]*)("(?:\\.|[^"\\\n])*"|'(?:''|[^'\n])*'|[^\s,{}*|>"'][^,}\n]*)/g;

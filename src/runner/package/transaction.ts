import { fail } from '../../common/errors/errors.ts';
import { quote } from '../../connector/quote.ts';
import type { PackageManager, PackageOptions } from '../package-manager.ts';
import type { Runner } from '../runner.ts';
import { lastHolder, lockError } from './lock.ts';

/** A package manager transaction. */
export interface Transaction {
  readonly manager: PackageManager['type'];
  /** The command to show in messages, such as "apt-get install jq". */
  readonly display: string;
  readonly script: string;
  /** Matches the names of unknown packages in the output. */
  readonly unknown: RegExp;
}

/** Runs a transaction and converts common package manager failures to specific errors. */
export async function runTransaction(
  runner: Runner,
  transaction: Transaction,
  options: PackageOptions = {},
): Promise<void> {
  const { manager, display, script, unknown } = transaction;
  const output: string[] = [];
  const onLine = (line: string) => {
    output.push(line);
    options.onLine?.(line);
  };
  const command = { text: `${script}\n`, display };
  try {
    await runner.run(command, { ...options, onLine });
  } catch (error) {
    const all = output.join('\n');
    const unreachable = output.filter((line) => UNREACHABLE.test(line));
    const holder = lastHolder(all);
    if (holder !== undefined) throw lockError(runner.host, holder);
    if (unreachable.length > 0) {
      const lines = unreachable.join('\n');
      throw fail('PACKAGE_REPOSITORY_UNREACHABLE', { host: runner.host, manager, output: lines }, error);
    }
    const missing = [...all.matchAll(unknown)].map((match) => match[1] ?? '');
    if (missing.length === 0) throw error;
    throw fail('PACKAGE_NOT_FOUND', { host: runner.host, packages: [...new Set(missing)].join(', '), manager }, error);
  }
}

const UNREACHABLE =
  /Failed to fetch|Could not (?:resolve|connect)|Temporary failure resolving|Failed to download metadata|Cannot download|Cannot find a valid baseurl/;

export const quoteAll = (names: readonly string[]): string => names.map(quote).join(' ');

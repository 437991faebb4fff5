import { dirname } from 'node:path/posix';
import { fail } from '../common/errors/errors.ts';
import type { Connector, ExecResult } from '../connector/connector.ts';
import { sh, type Command } from './command.ts';
import type { Facts } from './facts.ts';
import type { PackageManager } from './package-manager.ts';
import { apt } from './package/apt.ts';
import { dnf, yum } from './package/rpm.ts';
import { NOT_FOUND, parseStat, readCommand, sha256Command, statCommand } from './path-commands.ts';
import type { Runner } from './runner.ts';
import type { RunOptions } from './command.ts';
import type { ServiceManager } from './service-manager.ts';
import { systemd } from './service/systemd.ts';
import { writeCommand } from './write-command.ts';

/** Creates the runner for one host. `defaultSignal` applies to calls without a signal. */
export function createRunner(connector: Connector, facts: Facts, defaultSignal?: AbortSignal): Runner {
  const { host } = connector;
  const defaults = defaultSignal && { signal: defaultSignal };
  // Must not be async, because queries must reach the connector in the same tick to be batched.
  const query = (command: Command) => connector.query(command.text, defaults);
  const queryPath = (command: Command) =>
    query(command).then((result) => checkExit(host, command, result, { expected: NOT_FOUND }));
  const exists = (result: ExecResult) => result.exit === 0;

  const runner: Runner = {
    host,
    facts,
    get packages() {
      return packageManagerOf(runner);
    },
    get services() {
      return serviceManagerOf(runner);
    },
    query,
    test: (command) => query(command).then((result) => isTrue(host, command, result)),
    stat: (path) =>
      queryPath(statCommand(path)).then((result) => (exists(result) ? parseStat(result.stdout) : undefined)),
    read: (path) => queryPath(readCommand(path)).then((result) => (exists(result) ? result.stdout : undefined)),
    sha256: (path) =>
      queryPath(sha256Command(path)).then((result) => (exists(result) ? result.stdout.slice(0, 64) : undefined)),
    run: (command, options) => run(connector, command, { ...defaults, ...options }),
    write: async (file) => {
      await run(connector, writeCommand(file), { ...defaults, stdin: file.content }, dirname(file.path));
    },
    checkNewConnection: (signal = defaultSignal) => connector.checkNewConnection(signal),
    upload: (source, target, signal = defaultSignal) => connector.upload(source, target, signal),
    download: (remotePath, localPath, signal = defaultSignal) => connector.download(remotePath, localPath, signal),
  };
  return Object.freeze(runner);
}

function packageManagerOf(runner: Runner): PackageManager {
  const { packageManager, os } = runner.facts;
  if (packageManager === undefined) {
    throw fail('PACKAGE_MANAGER_MISSING', { host: runner.host, os: os.prettyName });
  }
  return { apt, dnf, yum }[packageManager](runner);
}

function serviceManagerOf(runner: Runner): ServiceManager {
  const { init } = runner.facts;
  if (init !== 'systemd') throw fail('SERVICE_MANAGER_MISSING', { host: runner.host, init });
  return systemd(runner);
}

async function run(connector: Connector, command: Command, options: RunOptions, folder?: string): Promise<ExecResult> {
  const { host } = connector;
  const result = await connector.exec(command.text, options);
  const output = outputOf(result);
  if (result.exit === 0 || !isDiskFull(output)) return checkExit(host, command, result, options);
  // Determines the disk, because the error message does not contain it.
  const { stdout } = await connector.query(fullDisks(folder).text);
  const disk = stdout.trim().replaceAll('\n', '; ');
  throw fail('HOST_DISK_FULL', { host, what: command.display, output, disk });
}

/**
 * Prints the disk of a folder or, without a folder, all disks that are nearly full, such as "/var, 12K free of 40G".
 */
const fullDisks = (folder?: string): Command =>
  folder === undefined
    ? sh`{ df -Ph -x squashfs -x iso9660; df -Pi -x squashfs -x iso9660; } 2>/dev/null | awk '$5 ~ /^(9[89]|100)%/ ${PRINT_DISK}' | sort -u`
    : sh`p=${folder}; until [ -e "$p" ]; do p=$(dirname "$p"); done; df -Ph "$p" | awk 'NR > 1 ${PRINT_DISK}'`;

const PRINT_DISK: Command = { text: '{ print $6 ", " $4 " free of " $2 }', display: '' };

/** Throws if the exit code is neither 0 nor in `expected`. Full and read-only disks have their own errors. */
function checkExit(
  host: string,
  command: Command,
  result: ExecResult,
  { expected = 0, errorOutput = outputOf }: Pick<RunOptions, 'errorOutput'> & { readonly expected?: number } = {},
): ExecResult {
  const { exit } = result;
  if (exit === 0 || exit === expected) return result;
  const output = outputOf(result);
  const { display } = command;
  if (isDiskFull(output)) throw fail('HOST_DISK_FULL', { host, what: display, output, disk: '' });
  if (/read-only file system/i.test(output)) throw fail('HOST_READ_ONLY', { host, what: display, output });
  throw fail('COMMAND_FAILED', { host, command: display, exit, output: errorOutput(result) });
}

/** Returns the error output without the line numbers of internal scripts. */
const outputOf = ({ stderr, stdout }: Pick<ExecResult, 'stderr' | 'stdout'>) =>
  stderr.trim().replaceAll(/^kubexm: \d+: (?:eval: )?/gm, '') || stdout;

const isDiskFull = (output: string) => /no space left on device|disk quota exceeded/i.test(output);

/** Throws if the program is missing or was killed, because the result is then neither true nor false. */
function isTrue(host: string, command: Command, result: ExecResult): boolean {
  if (result.exit >= 126) checkExit(host, command, result);
  return result.exit === 0;
}

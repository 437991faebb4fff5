import { dirname } from 'node:path/posix';
import { fail } from '../common/errors/errors.ts';
import type { Connector, ExecResult } from '../connector/connector.ts';
import { sh, type Command } from './command.ts';
import type { Facts } from './facts.ts';
import { packageManagerOf } from './package/choose.ts';
import { parseStat, readCommand, sha256Command, statCommand, NOT_FOUND } from './path-commands.ts';
import type { Runner, RunOptions } from './runner.ts';
import { serviceManagerOf } from './service/choose.ts';
import { writeCommand } from './write-command.ts';

/** Binds the verbs to one host, and to the signal that ends them unless another one is given. */
export function createRunner(connector: Connector, facts: Facts, until?: AbortSignal): Runner {
  const { host } = connector;
  const bound = until && { signal: until };
  // Not async: what is asked in one tick must reach the connector in that tick.
  const look = (command: Command) => connector.query(command.text, bound);
  const ask = (command: Command) => look(command).then((result) => checked(host, command, result, NOT_FOUND));
  const found = (result: ExecResult) => result.exit === 0;

  const runner: Runner = {
    host,
    facts,
    get packages() {
      return packageManagerOf(runner);
    },
    get services() {
      return serviceManagerOf(runner);
    },
    query: look,
    test: (command) => look(command).then((result) => answer(host, command, result)),
    stat: (path) => ask(statCommand(path)).then((result) => (found(result) ? parseStat(result.stdout) : undefined)),
    read: (path) => ask(readCommand(path)).then((result) => (found(result) ? result.stdout : undefined)),
    sha256: (path) => ask(sha256Command(path)).then((result) => (found(result) ? result.stdout.slice(0, 64) : undefined)),
    run: (command, options) => run(connector, command, { ...bound, ...options }),
    write: async (file) => {
      await run(connector, writeCommand(file), { ...bound, stdin: file.content }, dirname(file.path));
    },
    checkNewConnection: (signal = until) => connector.checkNewConnection(signal),
    upload: (source, target, signal = until) => connector.upload(source, target, signal),
    download: (remotePath, localPath, signal = until) => connector.download(remotePath, localPath, signal),
  };
  return Object.freeze(runner);
}

async function run(connector: Connector, command: Command, options: RunOptions, folder?: string): Promise<ExecResult> {
  const { host } = connector;
  const result = await connector.exec(command.text, options);
  const output = outputOf(result);
  if (result.exit === 0 || !isFull(output)) return checked(host, command, result);
  // Which disk it is, no program says: it is asked for.
  const { stdout } = await connector.query(fullDisks(folder).text);
  const disk = stdout.trim().replaceAll('\n', '; ');
  throw fail('HOST_DISK_FULL', { host, what: command.display, output, disk });
}

/** The disk of a folder, or else those that are all but full: "/var, 12K free of 40G". */
const fullDisks = (folder?: string): Command =>
  folder === undefined
    ? sh`{ df -Ph -x squashfs -x iso9660; df -Pi -x squashfs -x iso9660; } 2>/dev/null | awk '$5 ~ /^(9[89]|100)%/ ${SAY_DISK}' | sort -u`
    : sh`p=${folder}; until [ -e "$p" ]; do p=$(dirname "$p"); done; df -Ph "$p" | awk 'NR > 1 ${SAY_DISK}'`;

const SAY_DISK: Command = { text: '{ print $6 ", " $4 " free of " $2 }', display: '' };

/** An exit code that is not expected is an error, and a disk that cannot be written to is told as what it is. */
function checked(host: string, command: Command, result: ExecResult, expected = 0): ExecResult {
  const { exit } = result;
  if (exit === 0 || exit === expected) return result;
  const output = outputOf(result);
  const { display } = command;
  if (isFull(output)) throw fail('HOST_DISK_FULL', { host, what: display, output, disk: '' });
  if (/read-only file system/i.test(output)) throw fail('HOST_READ_ONLY', { host, what: display, output });
  throw fail('COMMAND_FAILED', { host, command: display, exit, output });
}

/** What was said, without the place in a script that only we know. */
const outputOf = ({ stderr, stdout }: ExecResult) =>
  stderr.trim().replaceAll(/^kubexm: \d+: (?:eval: )?/gm, '') || stdout;

const isFull = (output: string) => /no space left on device|disk quota exceeded/i.test(output);

/** A question has the answers yes and no; a program that is missing or was killed gave neither. */
function answer(host: string, command: Command, result: ExecResult): boolean {
  if (result.exit >= 126) checked(host, command, result);
  return result.exit === 0;
}

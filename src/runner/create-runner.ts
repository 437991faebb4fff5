import { fail } from '../common/errors.ts';
import type { Connector, ExecResult } from '../connector/connector.ts';
import type { Command } from './command.ts';
import type { Facts } from './facts.ts';
import { packageManagerOf } from './package/choose.ts';
import { parseStat, READ, SHA256, STAT, NOTHING_THERE } from './path-look.ts';
import type { Runner, RunOptions } from './runner.ts';
import { serviceManagerOf } from './service/choose.ts';
import { writeCommand } from './write-command.ts';

/** Binds the verbs to one host, and to the signal that ends them unless another one is given. */
export function createRunner(connector: Connector, facts: Facts, until?: AbortSignal): Runner {
  const { host } = connector;
  const bound = until && { signal: until };
  // Not async: what is asked in one tick must reach the connector in that tick.
  const look = (command: Command) => connector.look(command.text, bound);
  const ask = (command: Command) => look(command).then((result) => checked(host, command, result, NOTHING_THERE));
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
    look,
    test: (command) => look(command).then((result) => answer(host, command, result)),
    stat: (path) => ask(STAT(path)).then((result) => (found(result) ? parseStat(result.stdout) : undefined)),
    read: (path) => ask(READ(path)).then((result) => (found(result) ? result.stdout : undefined)),
    sha256: (path) => ask(SHA256(path)).then((result) => (found(result) ? result.stdout.slice(0, 64) : undefined)),
    run: (command, options) => run(connector, command, { ...bound, ...options }),
    write: async (file) => {
      await run(connector, writeCommand(file), { ...bound, stdin: file.content });
    },
    upload: (source, target, signal = until) => connector.upload(source, target, signal),
    download: (remotePath, localPath, signal = until) => connector.download(remotePath, localPath, signal),
  };
  return Object.freeze(runner);
}

async function run(connector: Connector, command: Command, options: RunOptions): Promise<ExecResult> {
  return checked(connector.host, command, await connector.exec(command.text, options));
}

/** An exit code that is not expected is an error, and a full disk is told as what it is. */
function checked(host: string, command: Command, result: ExecResult, expected = 0): ExecResult {
  const { exit } = result;
  if (exit === 0 || exit === expected) return result;
  const output = result.stderr.trim() || result.stdout;
  if (/no space left on device|disk quota exceeded/i.test(output)) {
    throw fail('HOST_DISK_FULL', { host, what: `\`${command.display}\` ran`, output });
  }
  throw fail('COMMAND_FAILED', { host, command: command.display, exit, output });
}

/** A question has the answers yes and no; a program that is missing or was killed gave neither. */
function answer(host: string, command: Command, result: ExecResult): boolean {
  if (result.exit >= 126) checked(host, command, result);
  return result.exit === 0;
}

import type { Command } from '../../runner/command.ts';
import type { StepContext } from './part.ts';

/** Runs a small command without output in one round trip with the others that a step runs in the same tick. */
export function runTogether(ctx: StepContext, command: Command): Promise<void> {
  const known = collected.get(ctx);
  if (known) {
    known.commands.push(command);
    return known.result;
  }
  const commands = [command];
  const result = runLater(ctx, commands);
  collected.set(ctx, { commands, result });
  return result;
}

async function runLater(ctx: StepContext, commands: readonly Command[]): Promise<void> {
  await sameTick();
  collected.delete(ctx);
  await ctx.runner.run(joined(commands));
}

interface Collected {
  readonly commands: Command[];
  readonly result: Promise<void>;
}

const collected = new WeakMap<StepContext, Collected>();

/** Callbacks of already settled promises run first. */
const sameTick = () => new Promise<void>((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));

/** Each command in its own subshell; the first one that fails ends the script. */
const joined = (commands: readonly Command[]): Command => ({
  text: commands.length === 1 ? commands[0]!.text : commands.map(({ text }) => `(\n${text}\n) || exit`).join('\n'),
  display: commands.map(({ display }) => display).join('; '),
});

import type { Console } from './console.ts';

/** What follows the words of a command: `lab ssh NAME`. */
export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  /** Takes all that remain. Only for the last one. */
  readonly rest?: true;
  /** What it can be, for completion; the words after those of the command may say more. */
  readonly complete?: (words: readonly string[]) => Promise<readonly string[]>;
}

interface OptionBase {
  readonly summary: string;
  readonly short?: string;
}

/** One flag of a command. Its long name is its key in kebab-case. */
export type OptionSpec =
  | (OptionBase & { readonly type: 'flag' })
  | (OptionBase & {
      readonly type: 'text';
      readonly value: string;
      readonly default?: string;
      readonly required?: true;
    })
  | (OptionBase & {
      readonly type: 'number';
      readonly value: string;
      readonly default?: number;
      readonly min?: number;
      readonly max?: number;
    })
  | (OptionBase & { readonly type: 'choice'; readonly choices: readonly string[]; readonly default?: string })
  | (OptionBase & { readonly type: 'list'; readonly value: string });

type OptionValue<O extends OptionSpec> = O extends { type: 'flag' }
  ? boolean
  : O extends { type: 'list' }
    ? readonly string[]
    : O extends { type: 'choice'; choices: readonly (infer C)[] }
      ? C | (O extends { default: string } ? never : undefined)
      : O extends { type: 'number' }
        ? number | (O extends { default: number } ? never : undefined)
        : string | (O extends { default: string } | { required: true } ? never : undefined);

type Options = Readonly<Record<string, OptionSpec>>;
/** What options were set to, by their specs. */
export type OptionValues<O extends Options> = { readonly [K in keyof O]: OptionValue<O[K]> };

/** Flags that every command has. */
export interface GlobalOptions {
  readonly verbose: boolean;
  readonly logFormat: 'text' | 'json';
  readonly color: boolean;
  readonly workdir: string;
  readonly yes: boolean;
}

/** One call of a command, parsed. */
export interface Call<O extends Options = Options> {
  readonly args: readonly string[];
  readonly options: OptionValues<O>;
  readonly global: GlobalOptions;
  readonly console: Console;
}

/** A command as users see it; help, completion and the reference page are made from this. */
export interface Command<O extends Options = Options> {
  /** The words that call it: "lab up". */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options: O;
  readonly examples: readonly { readonly command: string; readonly does: string }[];
  /** Import what is heavy in here, so that other commands start fast. Resolves with the exit code, if not 0. */
  run(call: Call<O>): Promise<number | void>;
}

export const defineCommand = <const O extends Options>(command: Command<O>): Command => Object.freeze(command);

export const flagOf = (key: string) => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

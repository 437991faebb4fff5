import type { Console } from './console.ts';

/** A positional argument, such as NAME in `lab ssh NAME`. */
export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  /** Takes all remaining words. Allowed only for the last argument. */
  readonly rest?: true;
  /** Returns completions for the argument. `words` are the words after the command. */
  readonly complete?: (words: readonly string[]) => Promise<readonly string[]>;
}

interface OptionBase {
  readonly summary: string;
  readonly short?: string;
}

/** A command option. The long flag is the key in kebab case. */
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
  | (OptionBase & {
      readonly type: 'list';
      readonly value: string;
      /** Returns completions for an item. `words` are the words after the command. */
      readonly complete?: (words: readonly string[]) => Promise<readonly string[]>;
    });

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
/** The parsed option values. */
export type OptionValues<O extends Options> = { readonly [K in keyof O]: OptionValue<O[K]> };

/** The values of the global flags. */
export interface GlobalOptions {
  readonly verbose: boolean;
  readonly logFormat: 'text' | 'json';
  readonly color: boolean;
  readonly workdir: string;
  readonly yes: boolean;
}

/** A parsed command invocation. */
export interface Call<O extends Options = Options> {
  readonly args: readonly string[];
  readonly options: OptionValues<O>;
  readonly global: GlobalOptions;
  readonly console: Console;
}

/** A command. Its help, completion and reference page are generated from this object. */
export interface Command<O extends Options = Options> {
  /** The words that select the command, such as "lab up". */
  readonly path: string;
  /** One line in the imperative, without a period. */
  readonly summary: string;
  /** Details that are not in the summary. */
  readonly description?: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options: O;
  readonly examples: readonly { readonly command: string; readonly does: string }[];
  /**
   * Runs the command and returns the exit code if it is not 0. Imports large modules dynamically, so that other
   * commands start quickly.
   */
  run(call: Call<O>): Promise<number | void>;
}

/** Returns the summary, followed by the description. */
export const fullDescription = ({ summary, description }: Pick<Command, 'summary' | 'description'>): string =>
  [`${summary}.`, description].filter(Boolean).join('\n\n');

export const defineCommand = <const O extends Options>(command: Command<O>): Command => Object.freeze(command);

/** Returns the flag for an option key, such as "--dry-run" for dryRun. */
export const flagOf = (key: string) => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

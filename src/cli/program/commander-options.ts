import { InvalidArgumentError, Option, type Command as Commander } from 'commander';
import { flagOf, type Call, type OptionSpec } from '../command.ts';
import { globalFlags } from './global-options.ts';

/** Converts a command option to a parser option. */
export function commanderOption(key: string, spec: OptionSpec): Option {
  const flags = [spec.short && `-${spec.short}`, flagOf(key)].filter(Boolean).join(', ');
  switch (spec.type) {
    case 'flag':
      return new Option(flags, spec.summary);
    case 'text':
      return new Option(`${flags} <${spec.value}>`, spec.summary)
        .default(spec.default)
        .makeOptionMandatory(spec.required ?? false);
    case 'number':
      return new Option(`${flags} <${spec.value}>`, spec.summary)
        .default(spec.default)
        .argParser((text) => parseNumber(text, spec));
    case 'choice':
      return new Option(`${flags} <VALUE>`, spec.summary).default(spec.default).choices(spec.choices);
    case 'list':
      return new Option(`${flags} <${spec.value}>`, spec.summary).argParser(
        (text, all: readonly string[] | undefined) => [...(all ?? []), text],
      );
  }
}

function parseNumber(
  text: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number },
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new InvalidArgumentError(
    max === Number.MAX_SAFE_INTEGER
      ? `Expected an integer of at least ${min}.`
      : `Expected an integer from ${min} to ${max}.`,
  );
}

/**
 * Returns the parsed value, or the empty value of the type. The parser stores `--no-x` as x = false, even if x is not
 * defined.
 */
export function optionValue(
  command: Commander,
  key: string,
  { type }: OptionSpec,
  given: Call['options'],
): Call['options'][string] {
  const option = command.options.find(({ long }) => long === flagOf(key));
  if (type === 'flag') return option?.negate ? given[option.attributeName()] === false : given[key] === true;
  return given[key] ?? (type === 'list' ? [] : undefined);
}

/** Returns the global flags as parser options. */
export const commanderGlobals = (): readonly Option[] =>
  globalFlags.map((flag) => {
    const names = [...('short' in flag ? [flag.short] : []), flag.flag].join(', ');
    const option = new Option('value' in flag ? `${names} <${flag.value}>` : names, flag.summary).helpGroup(
      'Global options:',
    );
    if ('choices' in flag) option.choices(flag.choices);
    if ('default' in flag) option.default(flag.default);
    return option;
  });

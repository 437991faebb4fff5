import { stringify } from 'yaml';

/** A value as YAML. It goes through JSON: dates and what is not there look the same in both. */
export const yamlText = (value: unknown): string =>
  stringify(JSON.parse(JSON.stringify(value)), { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();

import records from './former-records.json' with { type: 'json' };

/**
 * How records were named on hosts before parts had keys: the text whose hash named the folder, and the key it stands for.
 * In the order of the parts, because records are undone last first. Frozen: it describes clusters that exist.
 */
export const FORMER_RECORDS: Readonly<Record<string, readonly (readonly [text: string, key: string])[]>> =
  Object.fromEntries(
    Object.entries(records).map(([step, rows]) => [step, rows.map(([text = '', key = '']) => [text, key] as const)]),
  );

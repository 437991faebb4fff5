import { masked } from './secret.ts';

/**
 * Makes external text, such as the output of a host, safe for a terminal or a log: removes control sequences and
 * control characters except tabs and newlines, then masks secrets.
 */
export const sanitize = (text: string): string => masked(withoutControls(text));

/** Works like `sanitize`, but keeps the colors that kubexm itself uses. */
export const sanitizeColored = (text: string): string =>
  masked(text.replaceAll(CONTROLS, (found) => (COLOR.test(found) ? found : replacementOf(found))));

/** Sanitizes every string; a replacer for JSON.stringify. */
export const sanitizeStrings = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? sanitize(value) : value;

/** Serializes data as JSON, masks secrets and escapes control characters instead of removing them. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? masked(each) : each), 2).replaceAll(
    // JSON.stringify escapes only control characters below U+0020.
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );

const withoutControls = (text: string): string => text.replaceAll(CONTROLS, replacementOf);

/** Replaces a carriage return with a space, because it would let a host overwrite the start of a line. */
const replacementOf = (found: string): string => (found === '\r' ? ' ' : found === '\r\n' ? '\n' : '');

/**
 * Matches control strings such as OSC up to their terminator, CSI sequences, other escape sequences and single control
 * characters. The text of a control string without a terminator is kept, so that a host cannot hide the rest of a
 * message. Matching takes linear time.
 */
const CONTROLS = new RegExp(
  [
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\n\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`\x1b[ -/]*[0-~]`,
    String.raw`\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f]`,
  ].join('|'),
  'g',
);

/** Matches the sequences for bold, dim and foreground colors, and those that reset them. */
const COLOR = new RegExp(String.raw`^\x1b\[(?:0|1|2|22|3[0-79]|9[0-7])m$`);

import type pc from 'picocolors';
import { sanitize } from '../../common/sanitize.ts';
import { masked } from '../../common/secret.ts';
import type { Subscriber } from '../../engine/event/event.ts';
import { jsonLog } from '../../engine/event/json-log.ts';
import { createLiveView } from './live-view.ts';
import { createPlainView } from './plain-view.ts';

export interface ViewOptions {
  /** The title of the run, such as "Create a cluster". */
  readonly title: string;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly color: ReturnType<typeof pc.createColors>;
}

/** Shows the progress of a run. */
export interface View extends Disposable {
  readonly subscriber: Subscriber;
  /** Writes other output without disturbing the view. */
  interject(write: () => void): void;
}

/** Opens a live view on a terminal; otherwise prints plain lines, or JSON lines if `json` is set. */
export function openView(stream: ViewStream, options: ViewOptions): View {
  const { title, json, verbose, color } = options;
  const write = (text: string) => void stream.write(text);
  if (json) return { subscriber: jsonLog(write), interject: writeNow, [Symbol.dispose]: () => {} };
  if (!stream.isTTY || verbose)
    return { ...createPlainView((line) => write(`${sanitize(line)}\n`), verbose), interject: writeNow };
  const screen = {
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    // The frame itself contains control sequences, so host output is sanitized when it arrives.
    write: (text: string) => write(masked(text)),
  };
  return createLiveView(screen, color, title);
}

const writeNow = (write: () => void) => write();

/** The stream features that a view uses. */
export type ViewStream = Pick<NodeJS.WriteStream, 'columns' | 'rows'> & {
  readonly isTTY?: boolean;
  write(text: string): unknown;
};

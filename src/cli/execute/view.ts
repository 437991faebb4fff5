import type pc from 'picocolors';
import { sanitize } from '../../common/sanitize.ts';
import { masked } from '../../common/secret.ts';
import type { Subscriber } from '../../engine/event/event.ts';
import { jsonLog } from '../../engine/event/json-log.ts';
import { createLiveView } from './live-view.ts';
import { createPlainView } from './plain-view.ts';

export interface ViewOptions {
  /** "Create a cluster" */
  readonly title: string;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly color: ReturnType<typeof pc.createColors>;
}

/** Shows the progress of a run. */
export interface View extends Disposable {
  readonly subscriber: Subscriber;
  /** Writes other output without garbling the view. */
  interject(write: () => void): void;
}

/** Opens a live view on a terminal, plain lines elsewhere, JSON lines for programs. */
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
    // The frame contains control sequences; what hosts print is sanitized when it arrives.
    write: (text: string) => write(masked(text)),
  };
  return createLiveView(screen, color, title);
}

const writeNow = (write: () => void) => write();

/** The part of a stream that a view uses. */
export type ViewStream = Pick<NodeJS.WriteStream, 'columns' | 'rows'> & {
  readonly isTTY?: boolean;
  write(text: string): unknown;
};

import type pc from 'picocolors';
import type { Subscriber } from '../../engine/event/event.ts';
import { jsonLog } from '../../engine/event/json-log.ts';
import { createLiveView } from './live-view.ts';
import { createPlainView } from './plain-view.ts';

/** How a run is to be shown. */
export interface ViewOptions {
  /** What is run. */
  readonly title: string;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly color: ReturnType<typeof pc.createColors>;
  readonly redact?: (text: string) => string;
}

/** Shows a run. */
export interface View extends Disposable {
  readonly subscriber: Subscriber;
  /** Lets something else be written in between. */
  aside(write: () => void): void;
}

/** A picture that moves on a terminal, lines elsewhere, JSON for programs. */
export function viewOn(stream: ViewStream, options: ViewOptions): View {
  const { title, json, verbose, color, redact = (text) => text } = options;
  const write = (text: string) => void stream.write(text);
  if (json) return { subscriber: jsonLog(write, redact), aside: at, [Symbol.dispose]: () => {} };
  if (!stream.isTTY || verbose) return { ...createPlainView((line) => write(`${redact(line)}\n`), verbose), aside: at };
  const screen = {
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    write: (text: string) => write(redact(text)),
  };
  return createLiveView(screen, color, title, redact);
}

const at = (write: () => void) => write();

/** What of a stream matters here. */
export type ViewStream = Pick<NodeJS.WriteStream, 'columns' | 'rows'> & {
  readonly isTTY?: boolean;
  write(text: string): unknown;
};

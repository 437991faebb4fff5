/** Reports the progress of a transfer every second, such as "kubelet 1.35.8 amd64: 34 of 78 MB, 12 MB/s, 4 s left". */
export interface ProgressMeter {
  readonly update: (received: number, total: number | undefined) => void;
}

export function createProgressMeter(
  title: string,
  say: (line: string) => void,
  now: () => number = Date.now,
): ProgressMeter {
  const samples: { readonly at: number; readonly received: number }[] = [];
  let reportedAt = -Infinity;
  return Object.freeze({
    update: (received: number, total: number | undefined) => {
      const at = now();
      if (at - reportedAt < 1000) return;
      reportedAt = at;
      const last = samples.at(-1);
      // Fewer bytes than before mean that the transfer restarted from another source.
      if (last && received < last.received) samples.length = 0;
      samples.push({ at, received });
      if (samples.length > WINDOW) samples.shift();
      say(`${title}: ${sizeText(received, total)}${rateText(samples, received, total)}`);
    },
  });
}

const WINDOW = 10;
const MB = 1_000_000;

const sizeText = (received: number, total: number | undefined) =>
  total === undefined ? `${inMb(received)} MB` : `${inMb(received)} of ${inMb(total)} MB`;

function rateText(
  samples: readonly { readonly at: number; readonly received: number }[],
  received: number,
  total: number | undefined,
): string {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.at === first.at) return '';
  const perSecond = ((last.received - first.received) * 1000) / (last.at - first.at);
  const left = total === undefined || perSecond <= 0 ? '' : `, ${Math.ceil((total - received) / perSecond)} s left`;
  return `, ${inMb(perSecond)} MB/s${left}`;
}

const inMb = (bytes: number) => (bytes < 10 * MB ? (bytes / MB).toFixed(1) : Math.round(bytes / MB).toString());

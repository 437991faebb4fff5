/** What a mirror can be made to do wrong. */
export type MirrorFault = FaultKind & {
  /** How many requests it happens to; all without it. */
  readonly times?: number;
};

type FaultKind =
  | { readonly type: 'slow'; readonly bytesPerSecond: number }
  /** Half of what was asked for, then silence. */
  | { readonly type: 'stall' }
  | { readonly type: 'error'; readonly status: number }
  /** Half of what was asked for, then the connection ends. */
  | { readonly type: 'truncated' }
  /** The right length with other bytes, or the page of a proxy that wants a login. */
  | { readonly type: 'wrong-content'; readonly page?: boolean }
  /** Other sums in files of sums, another digest in the header of a manifest. */
  | { readonly type: 'wrong-checksum' }
  | { readonly type: 'no-range' };

/** The faults of a mirror by the paths they happen to; `*` in a pattern is anything. */
export interface FaultBoard {
  set(pattern: string, fault: MirrorFault): void;
  /** All without a pattern. */
  clear(pattern?: string): void;
  list(): readonly { readonly pattern: string; readonly fault: MirrorFault }[];
  /** The faults of this request, which counts. */
  take(name: string): readonly MirrorFault[];
}

export function createFaultBoard(): FaultBoard {
  const faults = new Map<string, MirrorFault>();
  const take = (pattern: string, fault: MirrorFault): MirrorFault => {
    if (fault.times === 1) faults.delete(pattern);
    else if (fault.times !== undefined) faults.set(pattern, { ...fault, times: fault.times - 1 });
    return fault;
  };
  return Object.freeze({
    set: (pattern: string, fault: MirrorFault) => void faults.set(pattern, fault),
    clear: (pattern?: string) => void (pattern === undefined ? faults.clear() : faults.delete(pattern)),
    list: () => [...faults].map(([pattern, fault]) => ({ pattern, fault })),
    take: (name: string) =>
      [...faults].filter(([pattern]) => matches(pattern, name)).map(([pattern, fault]) => take(pattern, fault)),
  });
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

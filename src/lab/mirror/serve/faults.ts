/** A fault that a mirror injects into its responses. */
export type MirrorFault = FaultKind & {
  /** Number of requests it applies to; unlimited if omitted. */
  readonly times?: number;
};

type FaultKind =
  | { readonly type: 'slow'; readonly bytesPerSecond: number }
  /** Sends half of the content, then nothing more. */
  | { readonly type: 'stall' }
  | { readonly type: 'error'; readonly status: number }
  /** Sends half of the content, then closes the connection. */
  | { readonly type: 'truncated' }
  /** Sends wrong bytes of the right length, or the login page of a proxy. */
  | { readonly type: 'wrong-content'; readonly page?: boolean }
  /** Sends wrong checksum files and wrong manifest digests. */
  | { readonly type: 'wrong-checksum' }
  /** Ignores Range headers. */
  | { readonly type: 'no-range' };

/** The configured faults by path pattern; `*` matches anything. */
export interface FaultInjector {
  set(pattern: string, fault: MirrorFault): void;
  /** Without a pattern, clears all faults. */
  clear(pattern?: string): void;
  list(): readonly { readonly pattern: string; readonly fault: MirrorFault }[];
  /** The faults for a request to this path; counts the request against `times`. */
  take(name: string): readonly MirrorFault[];
}

export function createFaultInjector(): FaultInjector {
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

/** Calls `act` for each item with at most `limit` calls at once; after all have ended it throws the first error. */
export async function forEachParallel<T, R>(
  all: readonly T[],
  limit: number,
  act: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const queue = all.entries();
  const results = new Map<number, R>();
  const worker = async () => {
    for (const [index, item] of queue) results.set(index, await act(item, index));
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, all.length) }, worker));
  for (const end of workers) if (end.status === 'rejected') throw end.reason;
  return [...results.entries()].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}

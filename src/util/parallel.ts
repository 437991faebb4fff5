/** Does an act for each item, at most so many at once, and fails with the first failure after all have ended. */
export async function forEachParallel<T, R>(
  all: readonly T[],
  limit: number,
  act: (item: T, place: number) => Promise<R>,
): Promise<readonly R[]> {
  const queue = all.entries();
  const results = new Map<number, R>();
  const lane = async () => {
    for (const [place, item] of queue) results.set(place, await act(item, place));
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(limit, all.length) }, lane));
  for (const end of lanes) if (end.status === 'rejected') throw end.reason;
  return [...results.entries()].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}

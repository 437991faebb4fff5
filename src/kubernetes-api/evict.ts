import type { Calls } from './calls.ts';
import type { EvictOptions } from './options.ts';
import { objectPath, type ObjectName } from './resources.ts';
import { isOtherObject, statusOf } from './status.ts';

/** The result of an eviction. */
export type Eviction =
  /** The pod is being deleted. */
  | { readonly type: 'evicted' }
  /** There is no pod with this uid any more. */
  | { readonly type: 'gone' }
  /** A disruption budget does not allow it now, or the API server is busy. */
  | { readonly type: 'blocked'; readonly reason: string; readonly retryAfterMs: number | undefined }
  /** It will never be allowed as things are, for example because several budgets select the pod. */
  | { readonly type: 'refused'; readonly reason: string };

export async function evict(calls: Calls, pod: ObjectName, options: EvictOptions): Promise<Eviction> {
  const { uid, gracePeriodSeconds, ...limits } = options;
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: pod.name, namespace: pod.namespace ?? 'default' },
    deleteOptions: { preconditions: { uid }, ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }) },
  };
  const request = { method: 'POST', path: objectPath('pods', pod, 'eviction'), body } as const;
  const also = [404, 409, 429, 500];
  const response = await calls.change(`evict pod ${pod.namespace}/${pod.name}`, request, { ...limits, also });
  const { message, causes } = statusOf(response.body);
  const budget = causes.find(({ reason }) => reason === 'DisruptionBudget');
  switch (response.status) {
    case 404:
      return { type: 'gone' };
    case 409:
      if (isOtherObject(message)) return { type: 'gone' };
      return { type: 'blocked', reason: message, retryAfterMs: response.retryAfterMs };
    case 429:
      return { type: 'blocked', reason: budget?.message ?? message, retryAfterMs: response.retryAfterMs };
    case 500:
      return { type: 'refused', reason: message };
    default:
      return { type: 'evicted' };
  }
}

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped, for the summary of `make test`. */
    skipReason?: string;
  }
}

/** Test options that skip a test or suite with a reason unless a condition holds. */
export const skipUnless = (condition: unknown, reason: string) =>
  condition ? {} : { skip: true, meta: { skipReason: reason } };

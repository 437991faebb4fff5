/** What to do with the SSH key of an unknown host: trust it on first use (tofu), or refuse it (strict). */
export const HOST_KEY_MODES = ['tofu', 'strict'] as const;

export type HostKeys = (typeof HOST_KEY_MODES)[number];

/** What can be written to a journal and read again. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

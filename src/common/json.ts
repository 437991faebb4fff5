/** A value that can be written as JSON and read again. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

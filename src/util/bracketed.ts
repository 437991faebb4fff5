/** An address as it stands before a port: IPv6 in brackets. */
export const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** The address as it is written before a port: IPv6 in brackets. */
export const bracketIPv6 = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** The address under which a host reaches its own service that listens on `listenAddress`; unspecified means loopback. */
export const localAddressFor = (listenAddress: string): string =>
  ['', '0.0.0.0', '::'].includes(listenAddress) ? '127.0.0.1' : bracketIPv6(listenAddress);

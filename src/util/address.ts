/** The address as it is written before a port: IPv6 in brackets. */
export const bracketIPv6 = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** The address at which a host reaches its own service; loopback if that listens on a wildcard address. */
export const localAddressFor = (listenAddress: string): string =>
  ['', '0.0.0.0', '::'].includes(listenAddress) ? '127.0.0.1' : bracketIPv6(listenAddress);

import { fail } from '../../common/errors/errors.ts';
import { canonical, overlap } from '../../config/value/address.ts';
import type { StepView } from '../contract/part.ts';

/** The interface for a virtual IP: one in the same subnet, otherwise the one with the internal address of the host. */
export function interfaceFor({ host, facts }: StepView, virtual: string, own: string): string {
  const single = `${virtual}/${virtual.includes(':') ? 128 : 32}`;
  const interfaceWith = (matches: (address: string) => boolean) =>
    facts.interfaces.find(({ name, addresses }) => name !== 'lo' && addresses.some(matches))?.name;
  const isVirtual = (address: string) => canonical(address.split('/')[0] ?? '') === canonical(virtual);
  // Ignores the virtual IP itself: once configured, it does not indicate the subnet.
  const found =
    interfaceWith((address) => !isVirtual(address) && overlap(address, single)) ??
    interfaceWith((address) => canonical(address.split('/')[0] ?? '') === canonical(own));
  if (found === undefined) throw fail('BALANCER_INTERFACE_UNKNOWN', { host: host.name, address: virtual });
  return found;
}

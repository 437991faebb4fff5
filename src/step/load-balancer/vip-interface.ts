import { fail } from '../../common/errors/errors.ts';
import { canonical, overlap } from '../../config/value/address.ts';
import type { StepView } from '../contract/part.ts';

/** The interface that is to carry an address: in its network, or the one by which the others reach this host. */
export function interfaceFor({ host, facts }: StepView, virtual: string, own: string): string {
  const single = `${virtual}/${virtual.includes(':') ? 128 : 32}`;
  const having = (fits: (address: string) => boolean) =>
    facts.interfaces.find(({ name, addresses }) => name !== 'lo' && addresses.some(fits))?.name;
  const isVirtual = (address: string) => canonical(address.split('/')[0] ?? '') === canonical(virtual);
  // Once it carries the address, that one says nothing about its networks.
  const found =
    having((address) => !isVirtual(address) && overlap(address, single)) ??
    having((address) => canonical(address.split('/')[0] ?? '') === canonical(own));
  if (found === undefined) throw fail('BALANCER_INTERFACE_UNKNOWN', { host: host.name, address: virtual });
  return found;
}

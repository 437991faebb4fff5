import { canonical } from '../../../config/value/address.ts';
import { defineCheck, type CheckInput, type FindingOnHost, type HostReport } from '../check.ts';
import { virtualIpOf } from './virtual-ip.ts';

export const identity = defineCheck({
  id: 'PF15',
  title: 'Unique identity',
  about:
    'Host name, addresses, machine-id, product_uuid and MAC address are unique, and the internal address is configured on an interface of the host.',
  severities: ['error', 'note'],
  each: ({ host, facts }) => {
    const [address] = host.internalAddresses;
    const own = facts.interfaces.flatMap(addressesOf);
    return [
      ...(own.length === 0 || own.includes(canonical(address))
        ? []
        : [
            {
              severity: 'error' as const,
              found: `no interface has the address ${address}`,
              wanted: 'the internal address in the cluster file is configured on the host',
              fix: `Set hosts.${host.name}.internalAddress: ${own.find((each) => !isLocal(each)) ?? 'ADDRESS'} in the cluster file`,
            },
          ]),
      ...(facts.machineId === ''
        ? [
            {
              severity: 'error' as const,
              found: '/etc/machine-id is empty',
              wanted: 'a unique machine-id',
              fix: NEW_MACHINE_ID,
            },
          ]
        : []),
    ];
  },
  across: (input) => [
    ...shared(
      input,
      'host name',
      ({ facts }) => [facts.hostname],
      ({ host }) => `hostnamectl set-hostname ${host.name}`,
    ),
    ...shared(
      input,
      'address',
      (report) => ownAddresses(report, input),
      () => 'Find the interface with ip -br addr and change its address.',
    ),
    ...shared(
      input,
      'machine-id',
      ({ facts }) => [facts.machineId],
      () => NEW_MACHINE_ID,
    ),
    ...shared(
      input,
      'product_uuid',
      ({ facts }) => [facts.productUuid ?? ''],
      () => 'Set a unique UUID in the definition of the virtual machine.',
    ),
    ...shared(
      input,
      'MAC address',
      ({ host, facts }) =>
        facts.interfaces
          .filter((each) => addressesOf(each).includes(canonical(host.internalAddresses[0])))
          .map(({ mac }) => mac),
      () => 'Set a unique MAC address in the definition of the virtual machine.',
    ),
  ],
});

const NEW_MACHINE_ID = 'rm -f /etc/machine-id /var/lib/dbus/machine-id && systemd-machine-id-setup && reboot';

const addressesOf = ({ addresses }: { readonly addresses: readonly string[] }) =>
  addresses.map((each) => canonical(each.split('/')[0] ?? ''));

const isLocal = (address: string) => /^(127\.|169\.254\.|::1$|fe80:)/.test(address);

/** Excludes container bridges, which have the same address on every host, and the virtual IP, which moves. */
const ownAddresses = ({ facts }: HostReport, { cluster }: CheckInput) =>
  facts.interfaces
    .filter(({ name }) => !/^(docker|br-|virbr|cni|podman|nodelocaldns|kube-ipvs|lo$)/.test(name))
    .flatMap(addressesOf)
    .filter((each) => !isLocal(each) && each !== virtualIpOf(cluster));

function shared(
  { reports }: CheckInput,
  property: string,
  valuesOf: (report: HostReport) => readonly string[],
  fix: (report: HostReport) => string,
): readonly FindingOnHost[] {
  const holders = new Map<string, HostReport[]>();
  for (const report of reports)
    for (const value of new Set(valuesOf(report)))
      if (value !== '') holders.set(value, [...(holders.get(value) ?? []), report]);
  return [...holders]
    .filter(([, sharing]) => sharing.length > 1)
    .flatMap(([value, sharing]) =>
      sharing.slice(1).map((report) => ({
        host: report.host.name,
        // Containers see the product_uuid of the machine they run on.
        severity:
          property === 'product_uuid' && report.facts.virtualization.type === 'container'
            ? ('note' as const)
            : ('error' as const),
        found: `${property} ${value} is also used by ${sharing
          .filter((each) => each !== report)
          .map(({ host }) => host.name)
          .join(', ')}`,
        wanted: `a unique ${property}`,
        fix: fix(report),
      })),
    );
}

import { canonical } from '../../../config/value/address.ts';
import { defineCheck, type HostReport, type HostFinding, type CheckInput } from '../check.ts';
import { virtualIpOf } from '../vip.ts';

export const identity = defineCheck({
  id: 'PF15',
  title: 'Identity',
  about:
    'Host name, addresses, machine-id, product_uuid and MAC are each host’s own, and the internal address is on one of its interfaces.',
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
              found: `none of its interfaces has ${address}`,
              wanted: 'the internal address of the file is one of its own',
              fix: `In the file: hosts.${host.name}.internalAddress: ${own.find((each) => !isLocal(each)) ?? 'ADDRESS'}`,
            },
          ]),
      ...(facts.machineId === ''
        ? [
            {
              severity: 'error' as const,
              found: '/etc/machine-id is empty',
              wanted: 'an id of its own',
              fix: NEW_MACHINE_ID,
            },
          ]
        : []),
    ];
  },
  across: (scene) => [
    ...shared(
      scene,
      'the host name',
      ({ facts }) => [facts.hostname],
      ({ host }) => `hostnamectl set-hostname ${host.name}`,
    ),
    ...shared(
      scene,
      'the address',
      (report) => ownAddresses(report, scene),
      () => 'ip -br addr; then give one of them another address',
    ),
    ...shared(
      scene,
      'the machine-id',
      ({ facts }) => [facts.machineId],
      () => NEW_MACHINE_ID,
    ),
    ...shared(
      scene,
      'the product_uuid',
      ({ facts }) => [facts.productUuid ?? ''],
      () => 'Give the virtual machine a uuid of its own where it is defined.',
    ),
    ...shared(
      scene,
      'the MAC',
      ({ host, facts }) =>
        facts.interfaces
          .filter((each) => addressesOf(each).includes(canonical(host.internalAddresses[0])))
          .map(({ mac }) => mac),
      () => 'Give the virtual machine a MAC of its own where it is defined.',
    ),
  ],
});

const NEW_MACHINE_ID = 'rm -f /etc/machine-id /var/lib/dbus/machine-id && systemd-machine-id-setup && reboot';

const addressesOf = ({ addresses }: { readonly addresses: readonly string[] }) =>
  addresses.map((each) => canonical(each.split('/')[0] ?? ''));

const isLocal = (address: string) => /^(127\.|169\.254\.|::1$|fe80:)/.test(address);

/** Bridges of containers have the same address on every host, and a virtual IP may move. */
const ownAddresses = ({ facts }: HostReport, { cluster }: CheckInput) =>
  facts.interfaces
    .filter(({ name }) => !/^(docker|br-|virbr|cni|podman|nodelocaldns|kube-ipvs|lo$)/.test(name))
    .flatMap(addressesOf)
    .filter((each) => !isLocal(each) && each !== virtualIpOf(cluster));

function shared(
  scene: CheckInput,
  what: string,
  valuesOf: (report: HostReport) => readonly string[],
  fix: (report: HostReport) => string,
): readonly HostFinding[] {
  const holders = new Map<string, HostReport[]>();
  for (const report of scene.reports)
    for (const value of new Set(valuesOf(report)))
      if (value !== '') holders.set(value, [...(holders.get(value) ?? []), report]);
  return [...holders]
    .filter(([, reports]) => reports.length > 1)
    .flatMap(([value, reports]) =>
      reports.slice(1).map((report) => ({
        host: report.host.name,
        // Containers on one machine see the uuid of that machine.
        severity:
          what.includes('uuid') && report.facts.virtualization.type === 'container'
            ? ('note' as const)
            : ('error' as const),
        found: `it has ${what} ${value} together with ${reports
          .filter((each) => each !== report)
          .map(({ host }) => host.name)
          .join(', ')}`,
        wanted: 'one of its own',
        fix: fix(report),
      })),
    );
}

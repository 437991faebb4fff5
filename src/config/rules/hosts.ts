import { isIP } from 'node:net';
import { canonical } from '../model/cidr.ts';
import { quoted } from '../load/issues.ts';
import { nearest } from '../load/nearest.ts';
import { internalAddresses } from '../model/roles.ts';
import type { Spec } from '../schema/cluster.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { Path } from '../source/tree.ts';
import { finding, near, type Rule, type RuleFinding } from './rule.ts';

export const hostRules: readonly Rule[] = [
  {
    id: 'host-name-unique',
    severity: 'error',
    about: 'Each host has a name of its own.',
    reads: ['hosts.*.name'],
    check: ({ hosts }) =>
      repeated(
        hosts.map((host, index) => [host.name, ['hosts', index, 'name']]),
        'is the name of another host, too',
      ),
  },
  {
    id: 'host-address-unique',
    severity: 'error',
    about: 'Each host has an address of its own, inside and outside.',
    reads: ['hosts.*.address', 'hosts.*.internalAddress', 'hosts.*.port'],
    check: ({ hosts }) => {
      const outer = repeated(
        hosts.map((host, index) => [`${canonical(host.address)} port ${host.port}`, ['hosts', index, 'address']]),
        'is the address of another host, too',
      );
      const told = new Set(outer.map(({ path }) => path[1]));
      const inner = repeated(hosts.flatMap(innerAddresses), 'is the internal address of another host, too');
      return [...outer, ...inner.filter(({ path }) => !told.has(path[1]))];
    },
  },
  {
    id: 'host-internal-address-needed',
    severity: 'error',
    about: 'A host whose address is a DNS name has an internalAddress.',
    reads: ['hosts.*.address', 'hosts.*.internalAddress'],
    check: ({ hosts }) =>
      hosts.flatMap((host, index) =>
        isIP(host.address) === 0 && host.internalAddress === undefined
          ? [
              finding(
                ['hosts', index, 'address'],
                'is a DNS name, so internalAddress with an IP address is needed',
                quoted(host.address),
              ),
            ]
          : [],
      ),
  },
  {
    id: 'host-jump-known',
    severity: 'error',
    about: 'A jump without a user names another host of the file, and jumps lead out of the circle.',
    reads: ['hosts.*.name', 'hosts.*.jump'],
    check: checkJumps,
  },
  {
    id: 'host-passphrase-needs-key',
    severity: 'warning',
    about: 'A passphrase opens a private key that is given, too.',
    reads: ['hosts.*.passphrase', 'hosts.*.privateKey', 'hosts.*.privateKeyPath', 'hosts.*.password'],
    check: ({ hosts }) =>
      hosts.flatMap((host, index) =>
        host.passphrase && host.password && !host.privateKey && host.privateKeyPath === undefined
          ? [finding(['hosts', index, 'passphrase'], 'has no private key to open')]
          : [],
      ),
  },
  {
    id: 'secret-plain',
    severity: 'warning',
    about: 'Secrets are references: {env: NAME}, {file: path} or {exec: command}.',
    reads: ['hosts', 'registry'],
    check: checkPlainSecrets,
  },
];

/** Where the others reach a host, with the field that says so; a name is not known to be an address. */
function innerAddresses(host: Spec['hosts'][number], index: number): readonly (readonly [string, Path])[] {
  const field = host.internalAddress === undefined ? 'address' : 'internalAddress';
  return internalAddresses(host)
    .filter((address) => isIP(address) !== 0)
    .map((address) => [canonical(address), ['hosts', index, field]]);
}

/** One finding for each value that stood before. */
function repeated(values: readonly (readonly [string, Path])[], message: string): readonly RuleFinding[] {
  const seen = new Set<string>();
  return values.flatMap(([value, path]) => {
    const isNew = !seen.has(value);
    seen.add(value);
    return isNew ? [] : [finding(path, message, quoted(value))];
  });
}

function checkJumps({ hosts }: Spec): readonly RuleFinding[] {
  const jumps = new Map(hosts.map(({ name, jump }) => [name, jump]));
  return hosts.flatMap(({ name, jump }, index) => {
    const path = ['hosts', index, 'jump'];
    if (jump === undefined) return [];
    if (jumps.has(jump))
      return leadsBack(jumps, name) ? [finding(path, 'leads back to the host itself', quoted(jump))] : [];
    const [, port = '22'] = /:(\d+)$/.exec(jump) ?? [];
    if (Number(port) < 1 || Number(port) > 65_535) return [finding(path, 'has no valid port', quoted(jump))];
    if (/[@.:]/.test(jump)) return [];
    const known = [...jumps.keys()];
    return [
      {
        ...finding(path, 'names no host; another machine is written as user@host', quoted(jump)),
        ...near(nearest(jump, known)),
      },
    ];
  });
}

function leadsBack(jumps: ReadonlyMap<string, string | undefined>, start: string): boolean {
  const seen = new Set<string>();
  let at = jumps.get(start);
  while (at !== undefined && at !== start && !seen.has(at)) {
    seen.add(at);
    at = jumps.get(at);
  }
  return at === start;
}

/** Told once: a file with forty passwords has one habit, not forty faults. */
function checkPlainSecrets({ hosts, registry }: Spec): readonly RuleFinding[] {
  const inHosts = hosts.flatMap((host, index) =>
    (['password', 'privateKey', 'passphrase', 'sudoPassword'] as const).map((key): [SecretSource | undefined, Path] => [
      host[key],
      ['hosts', index, key],
    ]),
  );
  const inRegistry = Object.entries(registry.auths).map(([name, auth]): [SecretSource | undefined, Path] => [
    auth.password,
    ['registry', 'auths', name, 'password'],
  ]);
  const plain = [
    ...inHosts,
    ...inRegistry,
    [registry.harbor.adminPassword, ['registry', 'harbor', 'adminPassword']] as const,
  ].filter(([source]) => source?.type === 'value');
  const [first] = plain;
  if (first === undefined) return [];
  const more =
    plain.length > 1 ? `, as ${plain.length - 1 === 1 ? 'is one other' : `are ${plain.length - 1} others`}` : '';
  return [finding(first[1], `is written as plain text${more}; better {env: NAME}, {file: path} or {exec: command}`)];
}

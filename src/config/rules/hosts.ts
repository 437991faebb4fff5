import { isIP } from 'node:net';
import { nearest } from '../diagnostic/nearest.ts';
import { quoted } from '../diagnostic/quote.ts';
import type { SecretSource } from '../model/secrets.ts';
import type { Spec } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';
import { canonical } from '../value/address.ts';
import { internalAddresses } from '../value/role-groups.ts';
import { eachValid, skipInvalid } from './invalid-values.ts';
import { finding, near, repeated, type Rule, type RuleFinding } from './rule.ts';

export const hostRules: readonly Rule[] = [
  {
    id: 'host-name-unique',
    severity: 'error',
    about: 'Host names must be unique.',
    check: ({ hosts }) =>
      repeated(
        eachValid(hosts, ({ name }, index) => [[name, ['hosts', index, 'name']]]),
        'is also the name of another host',
      ),
  },
  {
    id: 'host-address-unique',
    severity: 'error',
    about: 'address and internalAddress must be unique for each host.',
    check: ({ hosts }) => {
      const external = repeated(
        eachValid(hosts, (host, index) => [
          [`${canonical(host.address)} port ${host.port}`, ['hosts', index, 'address']],
        ]),
        'is also the address of another host',
      );
      const reported = new Set(external.map(({ path }) => path[1]));
      const internal = repeated(eachValid(hosts, internalAddressPaths), 'is also the internal address of another host');
      return [...external, ...internal.filter(({ path }) => !reported.has(path[1]))];
    },
  },
  {
    id: 'host-internal-address-needed',
    severity: 'error',
    about: 'A host whose address is a DNS name requires an internalAddress.',
    check: ({ hosts }) =>
      eachValid(hosts, (host, index) =>
        isIP(host.address) === 0 && host.internalAddress === undefined
          ? [
              finding(
                ['hosts', index, 'address'],
                'is a DNS name; set internalAddress to an IP address as well',
                quoted(host.address),
              ),
            ]
          : [],
      ),
  },
  {
    id: 'host-jump-known',
    severity: 'error',
    about: 'A jump host without a user must be another host in the cluster file, and jump hosts must not form a loop.',
    check: checkJumps,
  },
  {
    id: 'host-passphrase-needs-key',
    severity: 'warning',
    about: 'A passphrase has an effect only with a private key.',
    check: ({ hosts }) =>
      eachValid(hosts, (host, index) =>
        host.passphrase && host.password && !host.privateKey && host.privateKeyPath === undefined
          ? [finding(['hosts', index, 'passphrase'], 'is ignored, because the host has no private key')]
          : [],
      ),
  },
  {
    id: 'secret-plain',
    severity: 'warning',
    about: 'Secrets should be references: {env: NAME}, {file: path} or {exec: command}.',
    check: checkPlainSecrets,
  },
];

/** Returns the IP addresses that other hosts connect to, with the path of the field that contains them. */
function internalAddressPaths(host: Spec['hosts'][number], index: number): readonly (readonly [string, Path])[] {
  const field = host.internalAddress === undefined ? 'address' : 'internalAddress';
  return internalAddresses(host)
    .filter((address) => isIP(address) !== 0)
    .map((address) => [canonical(address), ['hosts', index, field]]);
}

function checkJumps({ hosts }: Spec): readonly RuleFinding[] {
  const jumps = new Map(hosts.map(({ name, jump }) => [name, typeof jump === 'string' ? jump : undefined]));
  return hosts.flatMap(({ name, jump }, index) => {
    const path = ['hosts', index, 'jump'];
    if (typeof jump !== 'string') return [];
    if (jumps.has(jump)) return isLoop(jumps, name) ? [finding(path, 'forms a jump host loop', quoted(jump))] : [];
    const [, port = '22'] = /:(\d+)$/.exec(jump) ?? [];
    if (Number(port) < 1 || Number(port) > 65_535) return [finding(path, 'has an invalid port', quoted(jump))];
    if (/[@.:]/.test(jump)) return [];
    return [
      {
        ...finding(path, 'is not in spec.hosts; write any other machine as user@host', quoted(jump)),
        ...near(nearest(jump, [...jumps.keys()])),
      },
    ];
  });
}

function isLoop(jumps: ReadonlyMap<string, string | undefined>, start: string): boolean {
  const seen = new Set<string>();
  let at = jumps.get(start);
  while (at !== undefined && at !== start && !seen.has(at)) {
    seen.add(at);
    at = jumps.get(at);
  }
  return at === start;
}

/** Reports only the first plain-text secret and the number of others, because one warning is enough for many hosts. */
function checkPlainSecrets(spec: Spec): readonly RuleFinding[] {
  const isPlain = (source: SecretSource | undefined) => source?.type === 'value';
  const inHosts = skipInvalid(() =>
    eachValid(spec.hosts, (host, index) => [
      ...eachValid(HOST_SECRETS, (key) => (isPlain(host[key]) ? [['hosts', index, key]] : [])),
      ...eachValid(JUMP_SECRETS, (key) =>
        typeof host.jump === 'object' && isPlain(host.jump[key]) ? [['hosts', index, 'jump', key]] : [],
      ),
    ]),
  );
  const inAuths = skipInvalid(() => {
    const { auths } = spec.registry;
    return eachValid(Object.keys(auths), (name) =>
      isPlain(auths[name]?.password) ? [['registry', 'auths', name, 'password']] : [],
    );
  });
  const inHarbor = skipInvalid(() =>
    isPlain(spec.registry.harbor.adminPassword) ? [['registry', 'harbor', 'adminPassword']] : [],
  );
  const [first, ...others] = [...inHosts, ...inAuths, ...inHarbor];
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return [finding(first, `is stored as plain text${more}; use {env: NAME}, {file: path} or {exec: command}`)];
}

const JUMP_SECRETS = ['password', 'privateKey', 'passphrase'] as const;
const HOST_SECRETS = [...JUMP_SECRETS, 'sudoPassword'] as const;

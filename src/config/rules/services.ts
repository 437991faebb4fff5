import { isIP } from 'node:net';
import { ADDONS } from '../data/addons.ts';
import { isHostName } from '../value/dns-name.ts';
import { quoted } from '../load/issues.ts';
import { nearest } from '../load/nearest.ts';
import type { Spec } from '../schema/cluster.ts';
import { finding, near, type Rule, type RuleFinding } from './rule.ts';

export const serviceRules: readonly Rule[] = [
  {
    id: 'registry-needs-host',
    severity: 'error',
    about: 'A registry of type registry or harbor needs a host in roleGroups.registry.',
    reads: ['registry.type', 'roleGroups.registry'],
    check: ({ registry: { type }, roleGroups }) =>
      (type === 'registry' || type === 'harbor') && roleGroups.registry.length === 0
        ? [finding(['registry', 'type'], 'needs a host in spec.roleGroups.registry', quoted(type))]
        : [],
  },
  {
    id: 'registry-external-name',
    severity: 'error',
    about: 'A registry of type external is named in privateRegistry.',
    reads: ['registry.type', 'registry.privateRegistry'],
    check: ({ registry: { type, privateRegistry } }) =>
      type === 'external' && privateRegistry === ''
        ? [
            finding(
              ['registry', 'privateRegistry'],
              'must name your registry, because spec.registry.type is external',
              '""',
            ),
          ]
        : [],
  },
  {
    id: 'registry-external-no-host',
    severity: 'warning',
    about: 'With an external registry there is no host in roleGroups.registry.',
    reads: ['registry.type', 'roleGroups.registry'],
    check: ({ registry: { type }, roleGroups }) =>
      type === 'external' && roleGroups.registry.length > 0
        ? [finding(['roleGroups', 'registry'], 'has nothing to run, because spec.registry.type is external')]
        : [],
  },
  {
    id: 'registry-one-host',
    severity: 'warning',
    about: 'One host runs the registry, because images are kept in one place.',
    reads: ['registry.type', 'roleGroups.registry'],
    check: ({ registry: { type }, roleGroups }) =>
      type !== 'external' && roleGroups.registry.length > 1
        ? [finding(['roleGroups', 'registry'], 'runs on its first host only', quoted(roleGroups.registry.join(', ')))]
        : [],
  },
  {
    id: 'registry-login',
    severity: 'error',
    about: 'Username and password of a registry come together.',
    reads: ['registry.auths'],
    each: true,
    check: ({ registry: { auths } }) =>
      Object.entries(auths).flatMap(([host, { username, password }]) => {
        if ((username === undefined) === (password === undefined)) return [];
        const [given, other] = username === undefined ? ['password', 'username'] : ['username', 'password'];
        return [finding(['registry', 'auths', host, given], `needs ${other}, too`)];
      }),
  },
  {
    id: 'addon-known',
    severity: 'error',
    about: 'An addon without type and source is one of the catalog.',
    reads: ['addons'],
    each: true,
    check: checkKnownAddons,
  },
  {
    id: 'addon-source',
    severity: 'error',
    about: 'An addon of type yaml has a source with url or path; one of type helm has chart, url or path.',
    reads: ['addons'],
    each: true,
    check: checkAddonSources,
  },
  {
    id: 'addon-once',
    severity: 'error',
    about: 'Each addon stands once.',
    reads: ['addons'],
    each: true,
    check: ({ addons }) =>
      addons.flatMap(({ name }, index) =>
        addons.findIndex((other) => other.name === name) < index
          ? [finding(['addons', index], 'is there already', quoted(name))]
          : [],
      ),
  },
  {
    id: 'dns-hosts-lines',
    severity: 'error',
    about: 'dnsEtcHosts has lines of an address and names.',
    reads: ['dns.dnsEtcHosts'],
    check: ({ dns: { dnsEtcHosts } }) =>
      dnsEtcHosts.split('\n').flatMap((line) => {
        const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
        if (address === '' || (isIP(address) !== 0 && names.length > 0 && names.every(isHostName))) return [];
        return [
          finding(
            ['dns', 'dnsEtcHosts'],
            'must have lines such as "192.168.0.100 api.example.com"',
            quoted(line.trim()),
          ),
        ];
      }),
  },
  {
    id: 'nodelocaldns-unused',
    severity: 'warning',
    about: 'dns.nodelocaldns belongs to a cluster with nodelocaldns.',
    reads: ['dns.nodelocaldns', 'kubernetes.nodelocaldns'],
    check: ({ dns, kubernetes }) =>
      dns.nodelocaldns.externalZones.length > 0 && !kubernetes.nodelocaldns
        ? [finding(['dns', 'nodelocaldns'], 'does not count, because spec.kubernetes.nodelocaldns is false')]
        : [],
  },
  {
    id: 'override-sum',
    severity: 'warning',
    about: 'An artifact from another place comes with its sha256.',
    reads: ['artifacts.overrides'],
    check: ({ artifacts: { overrides, checksums } }) =>
      Object.entries(overrides).flatMap(([name, { url, sha256 }]) =>
        url !== undefined && sha256 === undefined && checksums === undefined
          ? [finding(['artifacts', 'overrides', name, 'url'], 'has no sha256 to check the download with')]
          : [],
      ),
  },
];

function checkKnownAddons({ addons }: Spec): readonly RuleFinding[] {
  return addons.flatMap(({ name, type, source }, index) =>
    type === undefined && source === undefined && !ADDONS.some((known) => known === name)
      ? [
          {
            ...finding(['addons', index], 'is not in the catalog; your own needs type and source', quoted(name)),
            allowed: ADDONS,
            ...near(nearest(name, ADDONS)),
          },
        ]
      : [],
  );
}

function checkAddonSources({ addons }: Spec): readonly RuleFinding[] {
  return addons.flatMap(({ type, source, valuesFile }, index) => {
    const path = ['addons', index];
    if (type === undefined)
      return source === undefined ? [] : [{ ...finding([...path, 'source'], 'needs type'), allowed: ['yaml', 'helm'] }];
    const named = type === 'helm' ? [source?.chart, source?.url, source?.path] : [source?.url, source?.path];
    const given = named.filter((value) => value !== undefined).length;
    if (given !== 1)
      return [
        finding(
          [...path, 'source'],
          `of type ${type} must have exactly one of ${type === 'helm' ? 'chart, url and path' : 'url and path'}`,
        ),
      ];
    if (type === 'yaml' && valuesFile !== undefined) return [finding([...path, 'valuesFile'], 'is for type helm')];
    return [];
  });
}

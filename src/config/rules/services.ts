import { isIP } from 'node:net';
import { ADDONS } from '../data/addons.ts';
import { nearest } from '../diagnostic/nearest.ts';
import { quoted } from '../diagnostic/quote.ts';
import type { Spec } from '../schema/cluster.ts';
import { isHostName } from '../value/address.ts';
import { eachValid } from './invalid-values.ts';
import { finding, near, repeated, type Rule, type RuleFinding } from './rule.ts';

export const serviceRules: readonly Rule[] = [
  {
    id: 'registry-needs-host',
    severity: 'error',
    about: 'If registry.type is registry or harbor, roleGroups.registry must list a host.',
    check: ({ registry: { type }, roleGroups }) =>
      (type === 'registry' || type === 'harbor') && roleGroups.registry.length === 0
        ? [finding(['registry', 'type'], 'requires a host in spec.roleGroups.registry', quoted(type))]
        : [],
  },
  {
    id: 'registry-external-name',
    severity: 'error',
    about: 'If registry.type is external, privateRegistry is required.',
    check: ({ registry: { type, privateRegistry } }) =>
      type === 'external' && privateRegistry === ''
        ? [
            finding(
              ['registry', 'privateRegistry'],
              'must be the name of the external registry, because spec.registry.type is external',
              '""',
            ),
          ]
        : [],
  },
  {
    id: 'registry-external-no-host',
    severity: 'warning',
    about: 'roleGroups.registry is not used with registry.type external.',
    check: ({ registry: { type }, roleGroups }) =>
      type === 'external' && roleGroups.registry.length > 0
        ? [finding(['roleGroups', 'registry'], 'is ignored, because spec.registry.type is external')]
        : [],
  },
  {
    id: 'registry-one-host',
    severity: 'warning',
    about: 'roleGroups.registry should list only one host.',
    check: ({ registry: { type }, roleGroups }) =>
      type !== 'external' && roleGroups.registry.length > 1
        ? [
            finding(
              ['roleGroups', 'registry'],
              'lists several hosts, but the registry runs only on the first one',
              quoted(roleGroups.registry.join(', ')),
            ),
          ]
        : [],
  },
  {
    id: 'registry-login',
    severity: 'error',
    about: 'The username and password of a registry must be set together.',
    check: ({ registry: { auths } }) =>
      eachValid(Object.keys(auths), (host) => {
        const { username, password } = auths[host]!;
        if ((username === undefined) === (password === undefined)) return [];
        const [given, other] = username === undefined ? ['password', 'username'] : ['username', 'password'];
        return [finding(['registry', 'auths', host, given], `requires ${other} as well`)];
      }),
  },
  {
    id: 'registry-anonymous-pull',
    severity: 'warning',
    about: 'registry.anonymousPull allows everyone with network access to the registry to pull images.',
    check: ({ registry: { anonymousPull, type }, roleGroups }) => {
      if (!anonymousPull) return [];
      const isInstalled = type === 'registry' || (type === '' && roleGroups.registry.length > 0);
      const message = isInstalled
        ? 'allows everyone with network access to the registry to pull images'
        : 'is ignored, because kubexm does not install a registry of type registry';
      return [finding(['registry', 'anonymousPull'], message, 'true')];
    },
  },
  {
    id: 'registry-plain-login',
    severity: 'warning',
    about: 'With plainHTTP, the registry password is sent unencrypted.',
    check: ({ registry: { auths } }) =>
      eachValid(Object.keys(auths), (host) => {
        const { username, plainHTTP } = auths[host]!;
        return plainHTTP && username !== undefined
          ? [finding(['registry', 'auths', host, 'plainHTTP'], 'sends the password unencrypted', 'true')]
          : [];
      }),
  },
  {
    id: 'registry-login-mirror',
    severity: 'warning',
    about:
      'docker and isulad cannot log in to a mirror, so they cannot use a registry that requires a login as a mirror.',
    check: ({ registry: { anonymousPull, type }, roleGroups, kubernetes: { containerRuntime } }) =>
      (containerRuntime.type === 'docker' || containerRuntime.type === 'isulad') &&
      (type === '' || type === 'registry') &&
      roleGroups.registry.length > 0 &&
      !anonymousPull
        ? [
            finding(
              ['kubernetes', 'containerRuntime', 'type'],
              'cannot log in to the registry as a mirror, so hosts pull Docker Hub images from upstream',
              quoted(containerRuntime.type),
            ),
          ]
        : [],
  },
  {
    id: 'addon-known',
    severity: 'error',
    about: 'An addon without type and source must be in the catalog.',
    check: checkKnownAddons,
  },
  {
    id: 'addon-source',
    severity: 'error',
    about: 'The source of a yaml addon must have url or path; the source of a helm addon must have chart, url or path.',
    check: checkAddonSources,
  },
  {
    id: 'addon-once',
    severity: 'error',
    about: 'Each addon must be listed only once.',
    check: ({ addons }) =>
      repeated(
        eachValid(addons, ({ name }, index) => [[name, ['addons', index]]]),
        'is already listed',
      ),
  },
  {
    id: 'dns-hosts-lines',
    severity: 'error',
    about: 'Each line of dnsEtcHosts must be an IP address followed by host names.',
    check: ({ dns: { dnsEtcHosts } }) =>
      dnsEtcHosts.split('\n').flatMap((line) => {
        const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
        if (address === '' || (isIP(address) !== 0 && names.length > 0 && names.every(isHostName))) return [];
        return [
          finding(
            ['dns', 'dnsEtcHosts'],
            'must contain lines such as "192.168.0.100 api.example.com"',
            quoted(line.trim()),
          ),
        ];
      }),
  },
  {
    id: 'nodelocaldns-unused',
    severity: 'warning',
    about: 'dns.nodelocaldns has an effect only if kubernetes.nodelocaldns is true.',
    check: ({ dns, kubernetes }) =>
      dns.nodelocaldns.externalZones.length > 0 && !kubernetes.nodelocaldns
        ? [finding(['dns', 'nodelocaldns'], 'is ignored, because spec.kubernetes.nodelocaldns is false')]
        : [],
  },
  {
    id: 'override-sum',
    severity: 'warning',
    about: 'An artifact override with a url should have a sha256.',
    check: ({ artifacts: { overrides, checksums } }) =>
      eachValid(Object.keys(overrides), (name) => {
        const { url, sha256 } = overrides[name]!;
        return url !== undefined && sha256 === undefined && checksums === undefined
          ? [finding(['artifacts', 'overrides', name, 'url'], 'has no sha256 to verify the download')]
          : [];
      }),
  },
  {
    id: 'trusted-mirror',
    severity: 'warning',
    about: 'With artifacts.trustMirror, a mirror can provide manipulated files and images.',
    check: ({ artifacts: { trustMirror } }) =>
      trustMirror
        ? [
            finding(
              ['artifacts', 'trustMirror'],
              'accepts unverified files and images from mirrors; set checksums or overrides to verify them',
              'true',
            ),
          ]
        : [],
  },
];

function checkKnownAddons({ addons }: Spec): readonly RuleFinding[] {
  return eachValid(addons, ({ name, type, source }, index) =>
    type === undefined && source === undefined && !ADDONS.some((known) => known === name)
      ? [
          {
            ...finding(
              ['addons', index],
              'is not in the catalog; a custom addon requires type and source',
              quoted(name),
            ),
            allowed: ADDONS,
            ...near(nearest(name, ADDONS)),
          },
        ]
      : [],
  );
}

function checkAddonSources({ addons }: Spec): readonly RuleFinding[] {
  return eachValid(addons, ({ type, source, valuesFile }, index) => {
    const path = ['addons', index];
    if (type === undefined)
      return source === undefined
        ? []
        : [{ ...finding([...path, 'source'], 'requires a type as well'), allowed: ['yaml', 'helm'] }];
    const choices = type === 'helm' ? [source?.chart, source?.url, source?.path] : [source?.url, source?.path];
    if (choices.filter((value) => value !== undefined).length !== 1)
      return [
        finding(
          [...path, 'source'],
          `must have exactly one of ${type === 'helm' ? 'chart, url and path' : 'url and path'}, because type is ${type}`,
        ),
      ];
    if (type === 'yaml' && valuesFile !== undefined)
      return [finding([...path, 'valuesFile'], 'is used only with type helm')];
    return [];
  });
}

import { isIP } from 'node:net';
import { normalizeCidr } from 'cidr-tools';
import { overlap, toCidrs, type Cidr } from '../model/cidr.ts';
import { joinCidrs } from '../model/join-cidrs.ts';
import { quoted } from '../load/issues.ts';
import { internalAddresses, nodeNames } from '../model/roles.ts';
import type { Spec } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';
import { finding, type Rule, type RuleFinding } from './rule.ts';

const PODS = ['network', 'kubePodsCIDR'];
const SERVICES = ['network', 'kubeServiceCIDR'];
const reads = ['network.kubePodsCIDR', 'network.kubeServiceCIDR'];

const bridgeReads = ['network.plugin', 'network.kubeOvn', 'kubernetes.containerRuntime.type'];

export const networkRules: readonly Rule[] = [
  {
    id: 'cidr-overlap',
    severity: 'error',
    about: 'The networks of pods, services, the virtual IP, docker and kube-ovn do not overlap.',
    reads: [...reads, ...bridgeReads, 'controlPlaneEndpoint.lb_address'],
    check: (spec) => {
      const services = texts(spec.network.kubeServiceCIDR).map((network) => ({ name: 'the services', network }));
      const others = [...vipOf(spec), ...pluginNetworks(spec)];
      return [
        ...clash(PODS, texts(spec.network.kubePodsCIDR), [...services, ...others]),
        ...clash(SERVICES, texts(spec.network.kubeServiceCIDR), others),
      ];
    },
  },
  {
    id: 'cidr-hosts',
    severity: 'error',
    about: 'No host has an address in the networks of pods, services, docker or kube-ovn.',
    reads: [...reads, ...bridgeReads, 'hosts.*.address', 'hosts.*.internalAddress'],
    check: (spec) => {
      const hosts = hostNetworks(spec);
      return [
        ...clash(PODS, texts(spec.network.kubePodsCIDR), hosts),
        ...clash(SERVICES, texts(spec.network.kubeServiceCIDR), hosts),
        ...spec.hosts.flatMap((host, index) =>
          clash(['hosts', index, 'address'], addressesOf(host), pluginNetworks(spec)),
        ),
      ];
    },
  },
  {
    id: 'cidr-nodes',
    severity: 'error',
    about: 'The network of pods has room for every node, and that of a node for maxPods.',
    reads: [
      ...reads,
      'kubernetes.nodeCidrMaskSize',
      'kubernetes.nodeCidrMaskSizeIPv6',
      'kubernetes.maxPods',
      'roleGroups',
    ],
    check: (spec) => toCidrs(spec.network.kubePodsCIDR).flatMap((pods) => checkNodes(spec, pods)),
  },
  {
    id: 'cidr-services',
    severity: 'error',
    about: 'The network of services has 16 to 1,048,576 addresses: /12 to /28, or /108 to /124.',
    reads,
    check: (spec) =>
      toCidrs(spec.network.kubeServiceCIDR).flatMap(({ text, family, prefix }) => {
        const [largest, smallest] = family === 4 ? [12, 28] : [108, 124];
        return prefix < largest || prefix > smallest
          ? [finding(SERVICES, `must have a prefix from /${largest} to /${smallest}`, quoted(text))]
          : [];
      }),
  },
  {
    id: 'cidr-exact',
    severity: 'warning',
    about: 'A CIDR is written with the first address of its network.',
    reads,
    check: (spec) => [...inexact(PODS, spec.network.kubePodsCIDR), ...inexact(SERVICES, spec.network.kubeServiceCIDR)],
  },
  {
    id: 'dual-stack-same',
    severity: 'error',
    about: 'Pods and services have the same families, in the same order.',
    reads,
    check: ({ network }) => {
      const [pods, services] = [families(network.kubePodsCIDR), families(network.kubeServiceCIDR)];
      return pods === services
        ? []
        : [finding(SERVICES, `must have the same IP families in the same order as kubePodsCIDR, ${pods}`, services)];
    },
  },
  {
    id: 'dual-stack-hosts',
    severity: 'error',
    about: 'Every node has an internal address of each family of the pod network.',
    reads: [...reads, 'roleGroups', 'hosts.*.name', 'hosts.*.address', 'hosts.*.internalAddress'],
    check: checkFamilies,
  },
  {
    id: 'kube-ovn-join',
    severity: 'error',
    about: 'The join network of kube-ovn has the families of the pod network.',
    reads: ['network'],
    check: ({ network: { plugin, kubeOvn, kubePodsCIDR } }) =>
      plugin === 'kube-ovn' && kubeOvn.joinCIDR !== undefined && families(kubeOvn.joinCIDR) !== families(kubePodsCIDR)
        ? [
            finding(
              ['network', 'kubeOvn', 'joinCIDR'],
              `must have the same IP families in the same order as kubePodsCIDR, ${families(kubePodsCIDR)}`,
              families(kubeOvn.joinCIDR),
            ),
          ]
        : [],
  },
  {
    id: 'calico-one-tunnel',
    severity: 'error',
    about: 'Calico uses IPIP or VXLAN, not both.',
    reads: ['network.plugin', 'network.calico'],
    check: ({ network: { plugin, calico } }) =>
      plugin === 'calico' &&
      calico.ipipMode !== undefined &&
      calico.ipipMode !== 'Never' &&
      calico.vxlanMode !== 'Never'
        ? [
            finding(
              ['network', 'calico', 'vxlanMode'],
              'must be Never, because ipipMode is on',
              quoted(calico.vxlanMode),
            ),
          ]
        : [],
  },
];

interface Named {
  readonly name: string;
  readonly network: string;
}

const texts = (pair: string) => toCidrs(pair).map(({ text }) => text);

const clash = (path: Path, networks: readonly string[], against: readonly Named[]) =>
  networks.flatMap((network) => {
    const other = against.find((each) => overlap(network, each.network));
    return other ? [finding(path, `overlaps with ${other.name}, ${other.network}`, quoted(network))] : [];
  });

const addressesOf = (host: Spec['hosts'][number]) =>
  [...new Set([host.address, ...internalAddresses(host)])].filter((address) => isIP(address) !== 0);

const hostNetworks = ({ hosts }: Spec): readonly Named[] =>
  hosts.flatMap((host) => addressesOf(host).map((network) => ({ name: `the address of ${host.name}`, network })));

const vipOf = ({ controlPlaneEndpoint: { lb_address } }: Spec): readonly Named[] =>
  lb_address === '' ? [] : [{ name: 'lb_address', network: lb_address }];

/** Networks that a runtime or a plugin makes for itself. */
function pluginNetworks(spec: Spec): readonly Named[] {
  const docker = spec.kubernetes.containerRuntime.type === 'docker';
  return [
    ...(docker ? [{ name: 'the bridge of docker', network: '172.17.0.0/16' }] : []),
    ...(spec.network.plugin === 'kube-ovn'
      ? joinCidrs(spec.network).map((network) => ({ name: 'spec.network.kubeOvn.joinCIDR', network }))
      : []),
  ];
}

function checkNodes(spec: Spec, { text, family, prefix }: Cidr): readonly RuleFinding[] {
  const { nodeCidrMaskSize, nodeCidrMaskSizeIPv6, maxPods } = spec.kubernetes;
  const key = family === 4 ? 'nodeCidrMaskSize' : 'nodeCidrMaskSizeIPv6';
  const mask = family === 4 ? nodeCidrMaskSize : nodeCidrMaskSizeIPv6;
  const path = ['kubernetes', key];
  if (mask < prefix)
    return [finding(path, `must be at least ${prefix}, the prefix of kubePodsCIDR ${text}`, String(mask))];
  if (mask - prefix > 16)
    return [finding(path, `may be at most 16 more than the prefix of kubePodsCIDR ${text}`, String(mask))];
  const nodes = nodeNames(spec).length;
  const room = 2 ** (mask - prefix);
  if (nodes > room)
    return [finding(PODS, `has room for ${room} nodes of /${mask}, and there are ${nodes}`, quoted(text))];
  const addresses = 2 ** ((family === 4 ? 32 : 128) - mask) - 2;
  return maxPods > addresses
    ? [
        finding(
          ['kubernetes', 'maxPods'],
          `must be at most ${addresses}, what a /${mask} of ${key} holds`,
          String(maxPods),
        ),
      ]
    : [];
}

const inexact = (path: readonly string[], pair: string) =>
  toCidrs(pair).flatMap(({ text }) => {
    const exact = normalizeCidr(text);
    return sameAddress(exact, text) ? [] : [finding(path, `is read as ${exact}`, quoted(text))];
  });

const sameAddress = (one: string, other: string) =>
  normalizeCidr(`${one.split('/')[0]}`) === normalizeCidr(`${other.split('/')[0]}`);

const families = (pair: string) =>
  toCidrs(pair)
    .map(({ family }) => `IPv${family}`)
    .join(', ');

function checkFamilies(spec: Spec): readonly RuleFinding[] {
  const wanted = [...new Set(toCidrs(spec.network.kubePodsCIDR).map(({ family }) => family))];
  const nodes = new Set(nodeNames(spec));
  return spec.hosts.flatMap((host, index) => {
    const present = new Set(internalAddresses(host).map((address) => isIP(address)));
    const missing = wanted.filter((family) => !present.has(family));
    return nodes.has(host.name) && missing.length > 0 && isIP(internalAddresses(host)[0]!) !== 0
      ? [
          finding(
            ['hosts', index, 'internalAddress'],
            `needs an IPv${missing.join(' and an IPv')} address, because kubePodsCIDR has that family`,
            quoted(internalAddresses(host).join(',')),
          ),
        ]
      : [];
  });
}

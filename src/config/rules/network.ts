import { isIP } from 'node:net';
import { normalizeCidr } from 'cidr-tools';
import { quoted } from '../diagnostic/quote.ts';
import type { Spec } from '../schema/cluster.ts';
import { joinCidrs } from '../schema/network.ts';
import type { Path } from '../source/tree.ts';
import { overlap, toCidrs, type Cidr } from '../value/address.ts';
import { internalAddresses, nodeNames } from '../value/role-groups.ts';
import { eachValid } from './invalid-values.ts';
import { finding, type Check, type Rule, type RuleFinding } from './rule.ts';

const PODS = ['network', 'kubePodsCIDR'];
const SERVICES = ['network', 'kubeServiceCIDR'];

export const networkRules: readonly Rule[] = [
  {
    id: 'cidr-overlap',
    severity: 'error',
    about:
      'The pod and service networks must not overlap each other, the Docker bridge network or the Kube-OVN join network, and must not contain the virtual IP.',
    check: [
      ({ network }) =>
        overlaps(
          PODS,
          cidrsOf(network.kubePodsCIDR),
          cidrsOf(network.kubeServiceCIDR).map((cidr) => ({ name: 'the service network', cidr })),
        ),
      ...[virtualIp, dockerBridge, kubeOvnJoin].flatMap((others): readonly Check[] => [
        (spec) => overlaps(PODS, cidrsOf(spec.network.kubePodsCIDR), others(spec)),
        (spec) => overlaps(SERVICES, cidrsOf(spec.network.kubeServiceCIDR), others(spec)),
      ]),
    ],
  },
  {
    id: 'cidr-hosts',
    severity: 'error',
    about:
      'Host addresses must not be in the pod network, the service network, the Docker bridge network or the Kube-OVN join network.',
    check: [
      (spec) => overlaps(PODS, cidrsOf(spec.network.kubePodsCIDR), hostNetworks(spec)),
      (spec) => overlaps(SERVICES, cidrsOf(spec.network.kubeServiceCIDR), hostNetworks(spec)),
      ...[dockerBridge, kubeOvnJoin].map(
        (others): Check =>
          (spec) =>
            eachValid(spec.hosts, (host, index) =>
              overlaps(['hosts', index, 'address'], addressesOf(host), others(spec)),
            ),
      ),
    ],
  },
  {
    id: 'cidr-nodes',
    severity: 'error',
    about:
      'The pod network must be large enough for all nodes, and the pod CIDR of a node must be large enough for maxPods.',
    check: (spec) => toCidrs(spec.network.kubePodsCIDR).flatMap((pods) => checkNodes(spec, pods)),
  },
  {
    id: 'cidr-services',
    severity: 'error',
    about: 'The service network must have 16 to 1,048,576 addresses (/12 to /28 for IPv4, /108 to /124 for IPv6).',
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
    about: 'A CIDR should start with the network address.',
    check: [
      ({ network }) => checkNetworkAddress(PODS, network.kubePodsCIDR),
      ({ network }) => checkNetworkAddress(SERVICES, network.kubeServiceCIDR),
    ],
  },
  {
    id: 'dual-stack-same',
    severity: 'error',
    about: 'The pod and service networks must have the same IP families in the same order.',
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
    about: 'Every node must have an internal address in each IP family of the pod network.',
    check: checkFamilies,
  },
  {
    id: 'kube-ovn-join',
    severity: 'error',
    about: 'kubeOvn.joinCIDR must have the same IP families as the pod network.',
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
    about: 'Calico can use IPIP or VXLAN, but not both.',
    check: ({ network: { plugin, calico } }) =>
      plugin === 'calico' &&
      calico.ipipMode !== undefined &&
      calico.ipipMode !== 'Never' &&
      calico.vxlanMode !== 'Never'
        ? [
            finding(
              ['network', 'calico', 'vxlanMode'],
              'must be Never, because ipipMode is enabled',
              quoted(calico.vxlanMode),
            ),
          ]
        : [],
  },
  {
    id: 'calico-block-size',
    severity: 'error',
    about: 'The pod network must be large enough for at least one Calico address block.',
    check: ({ network: { plugin, kubePodsCIDR, ippool } }) =>
      plugin === 'calico'
        ? toCidrs(kubePodsCIDR).flatMap(({ text, family, prefix }) => {
            if (family === 6)
              return prefix > CALICO_IPV6_BLOCK
                ? [finding(PODS, `must have a prefix of at most /${CALICO_IPV6_BLOCK}, the block size`, quoted(text))]
                : [];
            return prefix > ippool.blockSize
              ? [
                  finding(
                    ['network', 'ippool', 'blockSize'],
                    `must be at least ${prefix}, the prefix of kubePodsCIDR ${text}`,
                    String(ippool.blockSize),
                  ),
                ]
              : [];
          })
        : [],
  },
];

/** The default prefix length of Calico IPv6 address blocks. */
const CALICO_IPV6_BLOCK = 122;

interface NamedNetwork {
  readonly name: string;
  readonly cidr: string;
}

const cidrsOf = (pair: string) => toCidrs(pair).map(({ text }) => text);

const overlaps = (path: Path, networks: readonly string[], others: readonly NamedNetwork[]) =>
  networks.flatMap((network) => {
    const other = others.find(({ cidr }) => overlap(network, cidr));
    return other ? [finding(path, `overlaps ${other.name}, ${other.cidr}`, quoted(network))] : [];
  });

const addressesOf = (host: Spec['hosts'][number]) =>
  [...new Set([host.address, ...internalAddresses(host)])].filter((address) => isIP(address) !== 0);

const hostNetworks = ({ hosts }: Spec): readonly NamedNetwork[] =>
  eachValid(hosts, (host) => addressesOf(host).map((cidr) => ({ name: `the address of ${host.name}`, cidr })));

function virtualIp({ controlPlaneEndpoint: { lb_address: cidr } }: Spec): readonly NamedNetwork[] {
  return cidr === '' ? [] : [{ name: 'lb_address', cidr }];
}

function dockerBridge({ kubernetes }: Spec): readonly NamedNetwork[] {
  return kubernetes.containerRuntime.type === 'docker' ? [{ name: 'the Docker bridge', cidr: '172.17.0.0/16' }] : [];
}

function kubeOvnJoin({ network }: Spec): readonly NamedNetwork[] {
  return network.plugin === 'kube-ovn'
    ? joinCidrs(network).map((cidr) => ({ name: 'spec.network.kubeOvn.joinCIDR', cidr }))
    : [];
}

function checkNodes(spec: Spec, { text, family, prefix }: Cidr): readonly RuleFinding[] {
  const key = family === 4 ? 'nodeCidrMaskSize' : 'nodeCidrMaskSizeIPv6';
  const mask = spec.kubernetes[key];
  const path = ['kubernetes', key];
  if (mask < prefix)
    return [finding(path, `must be at least ${prefix}, the prefix of kubePodsCIDR ${text}`, String(mask))];
  if (mask - prefix > 16)
    return [
      finding(path, `must be at most ${prefix + 16}: 16 more than the prefix of kubePodsCIDR ${text}`, String(mask)),
    ];
  const hosts = new Set(spec.hosts.map(({ name }) => name));
  const nodes = nodeNames(spec).filter((name) => hosts.has(name)).length;
  const room = 2 ** (mask - prefix);
  if (nodes > room)
    return [
      finding(PODS, `is large enough for ${room} nodes with a /${mask} each, but there are ${nodes}`, quoted(text)),
    ];
  const addresses = 2 ** ((family === 4 ? 32 : 128) - mask) - 2;
  const { maxPods } = spec.kubernetes;
  return maxPods > addresses
    ? [
        finding(
          ['kubernetes', 'maxPods'],
          `must be at most ${addresses}, the number of addresses in a /${mask} (${key})`,
          String(maxPods),
        ),
      ]
    : [];
}

const checkNetworkAddress = (path: readonly string[], pair: string) =>
  toCidrs(pair).flatMap(({ text }) => {
    const exact = normalizeCidr(text);
    return sameAddress(exact, text) ? [] : [finding(path, `is not the network address; using ${exact}`, quoted(text))];
  });

const sameAddress = (one: string, other: string) =>
  normalizeCidr(`${one.split('/')[0]}`) === normalizeCidr(`${other.split('/')[0]}`);

const families = (pair: string) =>
  toCidrs(pair)
    .map(({ family }) => `IPv${family}`)
    .join(', ');

function checkFamilies(spec: Spec): readonly RuleFinding[] {
  const required = [...new Set(toCidrs(spec.network.kubePodsCIDR).map(({ family }) => family))];
  const nodes = new Set(nodeNames(spec));
  return eachValid(spec.hosts, (host, index) => {
    const present = new Set(internalAddresses(host).map((address) => isIP(address)));
    const missing = required.filter((family) => !present.has(family));
    return nodes.has(host.name) && missing.length > 0 && isIP(internalAddresses(host)[0]!) !== 0
      ? [
          finding(
            ['hosts', index, 'internalAddress'],
            `requires an IPv${missing.join(' and an IPv')} address, because kubePodsCIDR includes ${missing.length > 1 ? 'these families' : 'this family'}`,
            quoted(internalAddresses(host).join(',')),
          ),
        ]
      : [];
  });
}

import { quoted } from '../diagnostic/quote.ts';
import type { Spec } from '../schema/cluster.ts';
import { canonical } from '../value/address.ts';
import { hostsWithRole, internalAddresses } from '../value/role-groups.ts';
import { eachValid } from './invalid-values.ts';
import { finding, type Rule } from './rule.ts';

const at = (key: string) => ['controlPlaneEndpoint', key];
/** Returns whether kubexm runs the load balancer on dedicated hosts. */
const hasLoadBalancerHosts = ({ controlPlaneEndpoint: { externalLoadBalancer: type } }: Spec) =>
  type === 'kubexm-kh' || type === 'kubexm-kn';
const isKubeVip = (spec: Spec) => spec.controlPlaneEndpoint.internalLoadbalancer === 'kube-vip';

export const endpointRules: readonly Rule[] = [
  {
    id: 'lb-needs-hosts',
    severity: 'error',
    about: 'kubexm-kh and kubexm-kn require hosts in roleGroups.loadbalancer.',
    check: (spec) =>
      hasLoadBalancerHosts(spec) && spec.roleGroups.loadbalancer.length === 0
        ? [
            finding(
              at('externalLoadBalancer'),
              'requires at least one host in spec.roleGroups.loadbalancer',
              quoted(spec.controlPlaneEndpoint.externalLoadBalancer),
            ),
          ]
        : [],
  },
  {
    id: 'lb-needs-address',
    severity: 'error',
    about:
      'kubexm-kh, kubexm-kn and kube-vip require an unused virtual IP in lb_address and do not support externalDNS; external requires lb_address or externalDNS.',
    check: (spec) => {
      const { lb_address, externalDNS, externalLoadBalancer } = spec.controlPlaneEndpoint;
      const holder = hasLoadBalancerHosts(spec) ? externalLoadBalancer : isKubeVip(spec) ? 'kube-vip' : undefined;
      if (holder !== undefined && externalDNS) {
        return [
          finding(
            at('externalDNS'),
            `cannot be combined with ${holder}, which requires a virtual IP in lb_address`,
            'true',
          ),
        ];
      }
      if (lb_address !== '') return [];
      if (holder !== undefined) return [finding(at('lb_address'), `must be the virtual IP for ${holder}`, '""')];
      if (externalLoadBalancer === 'external' && !externalDNS) {
        return [
          finding(at('lb_address'), 'must be the address of your load balancer unless externalDNS is true', '""'),
        ];
      }
      return [];
    },
  },
  {
    id: 'lb-address-unused',
    severity: 'warning',
    about: 'lb_address has an effect only with kubexm-kh, kubexm-kn, kube-vip or external.',
    check: (spec) => {
      const { lb_address, externalLoadBalancer } = spec.controlPlaneEndpoint;
      return lb_address !== '' && externalLoadBalancer === '' && !isKubeVip(spec)
        ? [finding(at('lb_address'), 'is ignored, because no load balancer uses it', quoted(lb_address))]
        : [];
    },
  },
  {
    id: 'lb-external-no-hosts',
    severity: 'error',
    about: 'roleGroups.loadbalancer must be empty if externalLoadBalancer is external.',
    check: (spec) =>
      spec.controlPlaneEndpoint.externalLoadBalancer === 'external' && spec.roleGroups.loadbalancer.length > 0
        ? [
            finding(
              ['roleGroups', 'loadbalancer'],
              'must be empty, because spec.controlPlaneEndpoint.externalLoadBalancer is external',
            ),
          ]
        : [],
  },
  {
    id: 'lb-hosts-unused',
    severity: 'warning',
    about: 'roleGroups.loadbalancer has an effect only with externalLoadBalancer kubexm-kh or kubexm-kn.',
    check: (spec) =>
      spec.controlPlaneEndpoint.externalLoadBalancer === '' && spec.roleGroups.loadbalancer.length > 0
        ? [
            finding(
              ['roleGroups', 'loadbalancer'],
              'is ignored unless spec.controlPlaneEndpoint.externalLoadBalancer is kubexm-kh or kubexm-kn',
            ),
          ]
        : [],
  },
  {
    id: 'lb-needed',
    severity: 'error',
    about: 'A cluster with several masters requires an internal or external load balancer.',
    check: (spec) => {
      const { externalLoadBalancer, internalLoadbalancer } = spec.controlPlaneEndpoint;
      const masters = hostsWithRole(spec, 'master').length;
      return masters > 1 && externalLoadBalancer === '' && internalLoadbalancer === ''
        ? [
            {
              ...finding(
                at('internalLoadbalancer'),
                `is required for ${masters} masters unless externalLoadBalancer is set`,
                '""',
              ),
              allowed: ['haproxy', 'nginx', 'kube-vip'],
            },
          ]
        : [];
    },
  },
  {
    id: 'lb-one-virtual-ip',
    severity: 'error',
    about: 'kube-vip cannot be combined with an external load balancer, because both would claim the virtual IP.',
    check: (spec) =>
      isKubeVip(spec) && spec.controlPlaneEndpoint.externalLoadBalancer !== ''
        ? [
            finding(
              at('internalLoadbalancer'),
              `cannot be combined with externalLoadBalancer ${spec.controlPlaneEndpoint.externalLoadBalancer}`,
              '"kube-vip"',
            ),
          ]
        : [],
  },
  {
    id: 'lb-external-dns-no-address',
    severity: 'error',
    about: 'lb_address must be empty if externalDNS is true.',
    check: (spec) => {
      const { externalDNS, lb_address } = spec.controlPlaneEndpoint;
      return externalDNS && lb_address !== '' && !hasLoadBalancerHosts(spec) && !isKubeVip(spec)
        ? [finding(at('lb_address'), 'must be empty, because externalDNS is true', quoted(lb_address))]
        : [];
    },
  },
  {
    id: 'lb-address-free',
    severity: 'error',
    about: 'The virtual IP must not be the address of a host.',
    check: (spec) => {
      const { lb_address } = spec.controlPlaneEndpoint;
      const [owner] = eachValid(spec.hosts, (host) =>
        [host.address, ...internalAddresses(host)].some((address) => canonical(address) === canonical(lb_address))
          ? [host]
          : [],
      );
      return owner && (hasLoadBalancerHosts(spec) || isKubeVip(spec))
        ? [
            finding(
              at('lb_address'),
              `is the address of ${owner.name}; the virtual IP must be unused`,
              quoted(lb_address),
            ),
          ]
        : [];
    },
  },
  {
    id: 'lb-port-free',
    severity: 'error',
    about: 'A load balancer on a master must not use the port of the API server (6443).',
    check: (spec) => {
      const masters = hostsWithRole(spec, 'master');
      const shared = hostsWithRole(spec, 'loadbalancer').find((name) => masters.includes(name));
      return hasLoadBalancerHosts(spec) && shared !== undefined && spec.controlPlaneEndpoint.port === 6443
        ? [
            finding(
              at('port'),
              `is the port of the API server on ${shared}, which is both master and loadbalancer; choose another port, such as 8443`,
              '6443',
            ),
          ]
        : [];
    },
  },
  {
    id: 'lb-one-per-host',
    severity: 'error',
    about:
      'With kubernetes.type kubexm and internalLoadbalancer haproxy or nginx, roleGroups.loadbalancer must not contain workers, because both load balancers would listen on the same port.',
    check: (spec) => {
      const { internalLoadbalancer: internal } = spec.controlPlaneEndpoint;
      const [masters, workers] = [hostsWithRole(spec, 'master'), hostsWithRole(spec, 'worker')];
      const shared = hostsWithRole(spec, 'loadbalancer').find(
        (name) => workers.includes(name) && !masters.includes(name),
      );
      const isService = spec.kubernetes.type === 'kubexm' && (internal === 'haproxy' || internal === 'nginx');
      return isService && hasLoadBalancerHosts(spec) && shared !== undefined
        ? [
            finding(
              at('internalLoadbalancer'),
              `cannot run on ${shared}, which is both worker and loadbalancer; remove internalLoadbalancer, or remove ${shared} from spec.roleGroups.loadbalancer`,
              quoted(internal),
            ),
          ]
        : [];
    },
  },
  {
    id: 'lb-kube-vip-needs-kubeadm',
    severity: 'error',
    about: 'kube-vip requires kubernetes.type kubeadm, because it runs as a static Pod before the API server is up.',
    check: (spec) =>
      isKubeVip(spec) && spec.kubernetes.type === 'kubexm'
        ? [
            {
              ...finding(
                at('internalLoadbalancer'),
                'requires spec.kubernetes.type kubeadm, but it is kubexm',
                quoted('kube-vip'),
              ),
              allowed: ['haproxy', 'nginx'],
            },
          ]
        : [],
  },
  {
    id: 'lb-kube-vip-bgp',
    severity: 'error',
    about: 'kubevip.mode BGP requires kubevip.bgp with localAS and peers. Other modes do not support kubevip.bgp.',
    check: (spec) => {
      const { mode, bgp } = spec.controlPlaneEndpoint.kubevip;
      if (isKubeVip(spec) && mode === 'BGP' && bgp === undefined)
        return [finding([...at('kubevip'), 'bgp'], 'with localAS and peers is required for mode BGP', 'nothing')];
      return mode === 'ARP' && bgp !== undefined
        ? [finding([...at('kubevip'), 'mode'], 'must be BGP, because kubevip.bgp is set', quoted(mode))]
        : [];
    },
  },
  {
    id: 'lb-port-direct',
    severity: 'error',
    about: 'Without an external load balancer, the endpoint port must be the port of the API servers.',
    check: ({ controlPlaneEndpoint: { externalLoadBalancer, port }, kubernetes }) => {
      const apiPort = kubernetes.apiserver.extraArgs['secure-port'] ?? '6443';
      return externalLoadBalancer === '' && `${port}` !== apiPort
        ? [
            finding(
              at('port'),
              `must be ${apiPort}, the port of the API servers, because there is no external load balancer`,
              `${port}`,
            ),
          ]
        : [];
    },
  },
];

import { canonical } from '../model/cidr.ts';
import { hostsWithRole, internalAddresses } from '../model/roles.ts';
import { quoted } from '../load/issues.ts';
import type { Spec } from '../schema/cluster.ts';
import { finding, type Rule } from './rule.ts';

const at = (key: string) => ['controlPlaneEndpoint', key];
const balancers = ['controlPlaneEndpoint.externalLoadBalancer', 'controlPlaneEndpoint.internalLoadbalancer'];
const isOurs = ({ controlPlaneEndpoint: { externalLoadBalancer: type } }: Spec) =>
  type === 'kubexm-kh' || type === 'kubexm-kn';
const isKubeVip = (spec: Spec) => spec.controlPlaneEndpoint.internalLoadbalancer === 'kube-vip';

export const endpointRules: readonly Rule[] = [
  {
    id: 'lb-needs-hosts',
    severity: 'error',
    about: 'kubexm-kh and kubexm-kn need hosts in roleGroups.loadbalancer.',
    reads: ['controlPlaneEndpoint.externalLoadBalancer', 'roleGroups.loadbalancer'],
    check: (spec) =>
      isOurs(spec) && spec.roleGroups.loadbalancer.length === 0
        ? [
            finding(
              at('externalLoadBalancer'),
              'needs at least one host in spec.roleGroups.loadbalancer',
              quoted(spec.controlPlaneEndpoint.externalLoadBalancer),
            ),
          ]
        : [],
  },
  {
    id: 'lb-needs-address',
    severity: 'error',
    about:
      'kubexm-kh, kubexm-kn and kube-vip need a free virtual IP in lb_address, and no externalDNS; external needs lb_address or externalDNS.',
    reads: [
      'controlPlaneEndpoint.externalLoadBalancer',
      'controlPlaneEndpoint.lb_address',
      'controlPlaneEndpoint.externalDNS',
    ],
    check: (spec) => {
      const { lb_address, externalDNS, externalLoadBalancer } = spec.controlPlaneEndpoint;
      const holder = isOurs(spec) ? externalLoadBalancer : isKubeVip(spec) ? 'kube-vip' : undefined;
      if (holder !== undefined && externalDNS) {
        return [
          finding(
            at('externalDNS'),
            `cannot be together with ${holder}, which holds a virtual IP in lb_address`,
            'true',
          ),
        ];
      }
      if (lb_address !== '') return [];
      if (holder !== undefined) return [finding(at('lb_address'), `must be the virtual IP that ${holder} holds`, '""')];
      if (externalLoadBalancer === 'external' && !externalDNS) {
        return [finding(at('lb_address'), 'must be the address of your load balancer, or set externalDNS', '""')];
      }
      return [];
    },
  },
  {
    id: 'lb-address-unused',
    severity: 'warning',
    about: 'lb_address belongs to a load balancer with a virtual IP, or to your own.',
    reads: [...balancers, 'controlPlaneEndpoint.lb_address'],
    check: (spec) => {
      const { lb_address, externalLoadBalancer } = spec.controlPlaneEndpoint;
      return lb_address !== '' && externalLoadBalancer === '' && !isKubeVip(spec)
        ? [finding(at('lb_address'), 'does not count: no load balancer holds it', quoted(lb_address))]
        : [];
    },
  },
  {
    id: 'lb-external-no-hosts',
    severity: 'error',
    about: 'With externalLoadBalancer external there are no hosts in roleGroups.loadbalancer.',
    reads: ['controlPlaneEndpoint.externalLoadBalancer', 'roleGroups.loadbalancer'],
    check: (spec) =>
      spec.controlPlaneEndpoint.externalLoadBalancer === 'external' && spec.roleGroups.loadbalancer.length > 0
        ? [
            finding(
              ['roleGroups', 'loadbalancer'],
              'must be empty, because externalLoadBalancer is external: your own load balancer',
            ),
          ]
        : [],
  },
  {
    id: 'lb-hosts-unused',
    severity: 'warning',
    about: 'Hosts in roleGroups.loadbalancer have a load balancer to run.',
    reads: ['controlPlaneEndpoint.externalLoadBalancer', 'roleGroups.loadbalancer'],
    check: (spec) =>
      spec.controlPlaneEndpoint.externalLoadBalancer === '' && spec.roleGroups.loadbalancer.length > 0
        ? [
            finding(
              ['roleGroups', 'loadbalancer'],
              'has nothing to run; set spec.controlPlaneEndpoint.externalLoadBalancer to kubexm-kh or kubexm-kn',
            ),
          ]
        : [],
  },
  {
    id: 'lb-needed',
    severity: 'error',
    about: 'More than one master needs a load balancer, inside or outside.',
    reads: [...balancers, 'roleGroups.master'],
    check: (spec) => {
      const { externalLoadBalancer, internalLoadbalancer } = spec.controlPlaneEndpoint;
      const masters = hostsWithRole(spec, 'master').length;
      return masters > 1 && externalLoadBalancer === '' && internalLoadbalancer === ''
        ? [
            {
              ...finding(at('internalLoadbalancer'), `is needed for ${masters} masters, or externalLoadBalancer`, '""'),
              allowed: ['haproxy', 'nginx', 'kube-vip'],
            },
          ]
        : [];
    },
  },
  {
    id: 'lb-one-virtual-ip',
    severity: 'error',
    about: 'kube-vip is the only load balancer: two would fight for the virtual IP.',
    reads: balancers,
    check: (spec) =>
      isKubeVip(spec) && spec.controlPlaneEndpoint.externalLoadBalancer !== ''
        ? [
            finding(
              at('internalLoadbalancer'),
              `cannot be together with externalLoadBalancer ${spec.controlPlaneEndpoint.externalLoadBalancer}`,
              '"kube-vip"',
            ),
          ]
        : [],
  },
  {
    id: 'lb-external-dns-no-address',
    severity: 'error',
    about: 'With externalDNS, lb_address is empty.',
    reads: ['controlPlaneEndpoint.externalDNS', 'controlPlaneEndpoint.lb_address'],
    check: (spec) => {
      const { externalDNS, lb_address } = spec.controlPlaneEndpoint;
      return externalDNS && lb_address !== '' && !isOurs(spec) && !isKubeVip(spec)
        ? [finding(at('lb_address'), 'must be empty, because externalDNS is true', quoted(lb_address))]
        : [];
    },
  },
  {
    id: 'lb-address-free',
    severity: 'error',
    about: 'A virtual IP is not the address of a host.',
    reads: [...balancers, 'controlPlaneEndpoint.lb_address', 'hosts.*.address', 'hosts.*.internalAddress'],
    check: (spec) => {
      const { lb_address } = spec.controlPlaneEndpoint;
      const owner = spec.hosts.find((host) =>
        [host.address, ...internalAddresses(host)].some((address) => canonical(address) === canonical(lb_address)),
      );
      return owner && (isOurs(spec) || isKubeVip(spec))
        ? [
            finding(
              at('lb_address'),
              `is the address of ${owner.name}; the virtual IP must be a free one`,
              quoted(lb_address),
            ),
          ]
        : [];
    },
  },
  {
    id: 'lb-port-free',
    severity: 'error',
    about: 'A load balancer on a master listens on another port than the API server (6443).',
    reads: [
      'controlPlaneEndpoint.externalLoadBalancer',
      'controlPlaneEndpoint.port',
      'roleGroups.master',
      'roleGroups.loadbalancer',
    ],
    check: (spec) => {
      const masters = hostsWithRole(spec, 'master');
      const shared = hostsWithRole(spec, 'loadbalancer').find((name) => masters.includes(name));
      return isOurs(spec) && shared !== undefined && spec.controlPlaneEndpoint.port === 6443
        ? [
            finding(
              at('port'),
              `is taken by the API server on ${shared}, which is a master and a loadbalancer; choose another, such as 8443`,
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
      'With kubernetes.type kubexm a worker with a load balancer of its own (internalLoadbalancer haproxy or nginx) is not in roleGroups.loadbalancer as well: both would listen on the same port.',
    reads: [...balancers, 'kubernetes.type', 'roleGroups.master', 'roleGroups.worker', 'roleGroups.loadbalancer'],
    check: (spec) => {
      const { internalLoadbalancer: internal } = spec.controlPlaneEndpoint;
      const [masters, workers] = [hostsWithRole(spec, 'master'), hostsWithRole(spec, 'worker')];
      const shared = hostsWithRole(spec, 'loadbalancer').find(
        (name) => workers.includes(name) && !masters.includes(name),
      );
      const isService = spec.kubernetes.type === 'kubexm' && (internal === 'haproxy' || internal === 'nginx');
      return isService && isOurs(spec) && shared !== undefined
        ? [
            finding(
              at('internalLoadbalancer'),
              `cannot be on ${shared}, which is a worker and a loadbalancer: leave it empty, or take ${shared} out of spec.roleGroups.loadbalancer`,
              quoted(internal),
            ),
          ]
        : [];
    },
  },
  {
    id: 'lb-kube-vip-needs-kubeadm',
    severity: 'error',
    about: 'kube-vip is a pod of the masters that is there before their API: only kubeadm starts those.',
    reads: ['kubernetes.type', 'controlPlaneEndpoint.internalLoadbalancer'],
    check: (spec) =>
      isKubeVip(spec) && spec.kubernetes.type === 'kubexm'
        ? [
            {
              ...finding(
                at('internalLoadbalancer'),
                'needs spec.kubernetes.type kubeadm, and that is kubexm',
                quoted('kube-vip'),
              ),
              allowed: ['haproxy', 'nginx'],
            },
          ]
        : [],
  },
  {
    id: 'lb-port-direct',
    severity: 'error',
    about:
      'Without an external load balancer the port of the endpoint is that of the API servers: masters have no other.',
    reads: ['controlPlaneEndpoint.externalLoadBalancer', 'controlPlaneEndpoint.port', 'kubernetes.apiserver.extraArgs'],
    check: ({ controlPlaneEndpoint: { externalLoadBalancer, port }, kubernetes }) => {
      const own = kubernetes.apiserver.extraArgs['secure-port'] ?? '6443';
      return externalLoadBalancer === '' && `${port}` !== own
        ? [
            finding(
              at('port'),
              `must be ${own}, where the API servers listen: no load balancer is in front of them`,
              `${port}`,
            ),
          ]
        : [];
    },
  },
];

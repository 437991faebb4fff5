/** One of the hosts that share a virtual address. */
export interface KeepalivedOptions {
  readonly name: string;
  readonly address: string;
  readonly peers: readonly string[];
  readonly interface: string;
  readonly virtualAddress: string;
  /** One number for each group of hosts in a network. */
  readonly routerId: number;
  /** The highest one that is well has the address. */
  readonly priority: number;
  readonly unicast: boolean;
  /** Exits with 0 while the load balancer of this host answers. */
  readonly check: string;
}

/** keepalived: the virtual address is where a load balancer answers. A host that comes back does not take it away again. */
export const keepalivedConf = (options: KeepalivedOptions): string => `# Written by kubexm.
global_defs {
  router_id ${options.name}
  script_user root
  enable_script_security
  vrrp_garp_master_refresh 30
}

vrrp_script load_balancer {
  script "${options.check}"
  interval 2
  timeout 2
  fall 2
  rise 2
}

vrrp_instance kube_apiserver {
  state BACKUP
  nopreempt
  interface ${options.interface}
  virtual_router_id ${options.routerId}
  priority ${options.priority}
  advert_int 1
${options.unicast ? unicast(options) : ''}  virtual_ipaddress {
    ${options.virtualAddress}
  }
  track_script {
    load_balancer
  }
}
`;

const unicast = ({ address, peers }: KeepalivedOptions) => `  unicast_src_ip ${address}
  unicast_peer {
${peers.map((peer) => `    ${peer}\n`).join('')}  }
`;

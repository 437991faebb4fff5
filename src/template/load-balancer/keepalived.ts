/** Settings of one of the hosts that share a virtual IP. */
export interface KeepalivedOptions {
  readonly name: string;
  readonly address: string;
  readonly peers: readonly string[];
  readonly interface: string;
  readonly virtualIp: string;
  /** VRRP router ID, unique in the network. */
  readonly routerId: number;
  /** The healthy host with the highest priority gets the virtual IP. */
  readonly priority: number;
  readonly unicast: boolean;
  /** Path of a script that exits with 0 while the load balancer on this host runs. */
  readonly checkScript: string;
  /** Path of a script that exits with 0 while the load balancer on this host reaches an API server. */
  readonly apiScript: string;
}

/**
 * The text of keepalived.conf: the virtual IP follows a load balancer that runs and reaches an API server. A host that
 * recovers does not take it back. The second check is slower, so that the virtual IP stays while an API server restarts.
 */
export const keepalivedConf = (options: KeepalivedOptions): string => `# Written by kubexm.
global_defs {
  router_id ${options.name}
  script_user root
  enable_script_security
  vrrp_garp_master_refresh 30
}

vrrp_script load_balancer {
  script "${options.checkScript}"
  interval 2
  timeout 2
  fall 2
  rise 2
}

vrrp_script api_server {
  script "${options.apiScript}"
  interval 2
  timeout 3
  fall 5
  rise 1
}

vrrp_instance kube_apiserver {
  state BACKUP
  nopreempt
  interface ${options.interface}
  virtual_router_id ${options.routerId}
  priority ${options.priority}
  advert_int 1
${options.unicast ? unicast(options) : ''}  virtual_ipaddress {
    ${options.virtualIp}
  }
  track_script {
    load_balancer
    api_server
  }
}
`;

const unicast = ({ address, peers }: KeepalivedOptions) => `  unicast_src_ip ${address}
  unicast_peer {
${peers.map((peer) => `    ${peer}\n`).join('')}  }
`;

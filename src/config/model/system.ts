import type { Role } from '../../common/host.ts';

/** The changes to the operating system of each host. */
export interface System {
  readonly time: TimeSync;
  readonly timezone?: string | undefined;
  readonly rpms: readonly string[];
  readonly debs: readonly string[];
  readonly firewall: 'disable' | 'rules' | 'keep';
  readonly selinux: 'disable' | 'permissive' | 'keep';
  readonly swap: 'disable' | 'keep';
  readonly hostname: 'set' | 'keep';
  readonly etcHosts: 'write' | 'keep';
  readonly packages: 'install' | 'keep';
  readonly modules: 'load' | 'keep';
  readonly sysctl: 'set' | 'keep';
  readonly preInstall: readonly Script[];
  readonly postInstall: readonly Script[];
}

/** The time source of the hosts. */
export type TimeSync =
  | { readonly type: 'none' }
  | { readonly type: 'outside'; readonly servers: readonly string[] }
  | { readonly type: 'in-cluster'; readonly host: string; readonly upstream: readonly string[] };

interface Script {
  readonly name: string;
  readonly bash: string;
  /** Roles of the hosts; empty for all hosts. */
  readonly roles: readonly Role[];
}

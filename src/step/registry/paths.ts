/** The user and paths of the registry on its host. */
export const REGISTRY = {
  user: 'kubexm-registry',
  program: '/usr/local/bin/registry',
  folder: '/etc/kubexm/registry',
  config: '/etc/kubexm/registry/config.yml',
  readOnlyConfig: '/etc/kubexm/registry/read-only.yml',
  passwords: '/etc/kubexm/registry/htpasswd',
  certificate: '/etc/kubexm/registry/tls.crt',
  key: '/etc/kubexm/registry/tls.key',
} as const;

/** The paths of Harbor on its host; separate, so that each registry can be removed on its own. */
export const HARBOR = {
  folder: '/opt/harbor',
  certificate: '/etc/kubexm/harbor/tls.crt',
  key: '/etc/kubexm/harbor/tls.key',
} as const;

import type { Host, Hosts } from '../../src/common/host.ts';

export const hostsOf = (all: readonly Host[]): Hosts => ({
  all,
  withRole: (role) => all.filter(({ roles }) => roles.includes(role)),
});

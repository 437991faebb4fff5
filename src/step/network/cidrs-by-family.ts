/** The CIDR of each address family; undefined if the cluster does not use that family. */
export const cidrsByFamily = (
  cidrs: readonly string[],
): { readonly ipv4: string | undefined; readonly ipv6: string | undefined } => ({
  ipv4: cidrs.find((cidr) => !cidr.includes(':')),
  ipv6: cidrs.find((cidr) => cidr.includes(':')),
});

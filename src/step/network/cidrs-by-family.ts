/** The network of each family, where the cluster has one. */
export const cidrsByFamily = (
  cidrs: readonly string[],
): { readonly ipv4: string | undefined; readonly ipv6: string | undefined } => ({
  ipv4: cidrs.find((cidr) => !cidr.includes(':')),
  ipv6: cidrs.find((cidr) => cidr.includes(':')),
});

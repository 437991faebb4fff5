/** The network of each family, where the cluster has one. */
export const familiesOf = (
  cidrs: readonly string[],
): { readonly four: string | undefined; readonly six: string | undefined } => ({
  four: cidrs.find((cidr) => !cidr.includes(':')),
  six: cidrs.find((cidr) => cidr.includes(':')),
});

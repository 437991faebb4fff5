/** The images of a cluster. */
export interface BalancerAssets {
  readonly images: readonly { readonly name: string; readonly ref: string }[];
}

/** The image that a load balancer runs from; when it is only removed there may be none. */
export const imageOf = ({ images }: BalancerAssets, name: string): string =>
  images.find((image) => image.name === name)?.ref ?? '';

/** RFC 1123: what Kubernetes takes as the name of an object that shows up in host names. */
export const isDnsLabel = (name: string) => name.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name);

export const isDnsName = (name: string) =>
  name.length <= 253 && name.split('.').every(isDnsLabel) && !/^[\d.]+$/.test(name);

/** RFC 1123 for names that may be a label of digits only, such as a host called "7". */
export const isHostName = (name: string) => name.length <= 253 && name.split('.').every(isDnsLabel);

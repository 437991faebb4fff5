/** The folder of a cluster on its hosts. */
export const hostFolder = (cluster: string) => `/var/lib/kubexm/clusters/${cluster}`;

/** The cluster lock on a host. */
export const hostLock = (cluster: string) => `${hostFolder(cluster)}/lock`;

/** Rollback data on a host, kept until a run succeeds. */
export const keepFolder = (cluster: string) => `${hostFolder(cluster)}/keep`;

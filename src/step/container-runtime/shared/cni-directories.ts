/** Directories for CNI plugins, their configuration and state. Network plugins add files to them; they are removed as a whole. */
export const CNI_DIRECTORIES = ['/opt/cni/bin', '/etc/cni/net.d', '/var/lib/cni'] as const;

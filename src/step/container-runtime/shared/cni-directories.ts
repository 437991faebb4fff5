/** Where plugins, their settings and what they remember stand; plugins of a pod network add theirs, and all of it goes together. */
export const CNI_DIRECTORIES = ['/opt/cni/bin', '/etc/cni/net.d', '/var/lib/cni'] as const;

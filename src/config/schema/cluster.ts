import { z } from 'zod';
import { HOST_KEY_MODES } from '../data/choices.ts';
import { addonsSchema } from './addons.ts';
import { artifactsSchema } from './artifacts.ts';
import { controlPlaneEndpointSchema } from './control-plane-endpoint.ts';
import { dnsSchema } from './dns.ts';
import { etcdSchema } from './etcd.ts';
import { extraSchema } from './extra.ts';
import { choice, dnsLabel } from './fields.ts';
import { hostSchema } from './hosts.ts';
import { kubernetesSchema } from './kubernetes.ts';
import { networkSchema } from './network.ts';
import { registrySchema } from './registry.ts';
import { securitySchema } from './security.ts';
import { roleGroupsSchema } from './role-groups.ts';
import { storageSchema } from './storage.ts';
import { systemSchema } from './system.ts';

export const API_VERSION = 'kubexm.mensylisir.io/v1alpha1';

/** The schema of the cluster file in its canonical form, without aliases. */
export const clusterFileSchema = z.strictObject({
  apiVersion: z.literal(API_VERSION).describe('Version of the file format.'),
  kind: z.literal('Cluster').describe('Always Cluster.'),
  metadata: z.strictObject({ name: dnsLabel().describe('Name of the cluster.') }).describe('Cluster metadata.'),
  spec: z
    .strictObject({
      hosts: z
        .array(hostSchema)
        .min(1, { error: 'must have at least one host' })
        .describe('Hosts and their SSH logins.'),
      hostKeys: choice(HOST_KEY_MODES)
        .default('tofu')
        .describe(
          'How to handle SSH host keys that are neither in a known_hosts file nor set in hostKey: tofu trusts a key on first use and shows its fingerprint, strict rejects it. The flag --host-keys and the environment variable KUBEXM_HOST_KEYS override this field.',
        ),
      roleGroups: roleGroupsSchema.describe('The roles of the hosts.'),
      controlPlaneEndpoint: controlPlaneEndpointSchema
        .prefault({})
        .describe('Endpoint and load balancers for the API servers.'),
      system: systemSchema.prefault({}).describe('Operating system settings of the hosts.'),
      kubernetes: kubernetesSchema.prefault({}).describe('Kubernetes version and settings.'),
      security: securitySchema.prefault({}).describe('Hardening of the cluster.'),
      etcd: etcdSchema.prefault({}).describe('etcd settings.'),
      network: networkSchema.prefault({}).describe('Network plugin, pod network and service network.'),
      registry: registrySchema.prefault({}).describe('The private image registry.'),
      storage: storageSchema.prefault({}).describe('Storage classes to install.'),
      dns: dnsSchema.prefault({}).describe('Cluster DNS settings.'),
      addons: addonsSchema.describe('Addons to install.'),
      extra: extraSchema.prefault({}).describe('Additional host names and DNS servers on every host.'),
      artifacts: artifactsSchema.prefault({}).describe('Download sources for binaries and images.'),
    })
    .describe('The desired cluster.'),
});

/** The cluster file with all defaults. */
export type ClusterFile = z.output<typeof clusterFileSchema>;

export type Spec = ClusterFile['spec'];

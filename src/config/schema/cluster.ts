import { z } from 'zod';
import { addonsSchema } from './addons.ts';
import { artifactsSchema } from './artifacts.ts';
import { controlPlaneEndpointSchema } from './control-plane-endpoint.ts';
import { dnsSchema } from './dns.ts';
import { etcdSchema } from './etcd.ts';
import { extraSchema } from './extra.ts';
import { dnsLabel } from './fields.ts';
import { hostSchema } from './hosts.ts';
import { kubernetesSchema } from './kubernetes.ts';
import { networkSchema } from './network.ts';
import { registrySchema } from './registry.ts';
import { roleGroupsSchema } from './role-groups.ts';
import { storageSchema } from './storage.ts';
import { systemSchema } from './system.ts';

export const API_VERSION = 'kubexm.mensylisir.io/v1alpha1';

/** The whole cluster file, in its canonical form. */
export const clusterFileSchema = z.strictObject({
  apiVersion: z.literal(API_VERSION).describe('Version of this format.'),
  kind: z.literal('Cluster').describe('Always Cluster.'),
  metadata: z.strictObject({ name: dnsLabel().describe('Name of the cluster.') }).describe('About the cluster.'),
  spec: z
    .strictObject({
      hosts: z.array(hostSchema).min(1, { error: 'must have at least one host' }).describe('The machines and how they are reached.'),
      roleGroups: roleGroupsSchema.describe('Which host does what.'),
      controlPlaneEndpoint: controlPlaneEndpointSchema.prefault({}).describe('How the API servers are reached.'),
      system: systemSchema.prefault({}).describe('What is done to the operating system.'),
      kubernetes: kubernetesSchema.prefault({}).describe('The Kubernetes that is installed.'),
      etcd: etcdSchema.prefault({}).describe('Where the cluster keeps its state.'),
      network: networkSchema.prefault({}).describe('Networks of pods and services.'),
      registry: registrySchema.prefault({}).describe('The private image registry.'),
      storage: storageSchema.prefault({}).describe('Storage classes to install.'),
      dns: dnsSchema.prefault({}).describe('Names inside the cluster.'),
      addons: addonsSchema.describe('What runs on the cluster from the start.'),
      extra: extraSchema.prefault({}).describe('More names and resolvers on every host.'),
      artifacts: artifactsSchema.prefault({}).describe('Where binaries and images come from.'),
    })
    .describe('What the cluster is to be.'),
});

/** The cluster file with every default filled in. */
export type ClusterFile = z.output<typeof clusterFileSchema>;

/** The part of a cluster file that describes the cluster. */
export type Spec = ClusterFile['spec'];

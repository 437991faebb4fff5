import { readFile } from 'node:fs/promises';
import type { Cluster, NetworkPlugin } from '../../config/cluster.ts';
import { applied } from '../applied.ts';
import { parseManifests, type Manifest } from '../manifest.ts';
import { cachedFile } from '../cached-file.ts';
import type { Programs } from '../install-program.ts';
import { fail } from '../../common/errors.ts';
import { defineStep, type Step } from '../step.ts';

type Flannel = Extract<NetworkPlugin, { readonly type: 'flannel' }>;

/** Pods of all nodes reach each other by flannel. */
export const applyFlannel = (cluster: Cluster, plugin: Flannel, programs: Programs): Step =>
  defineStep({
    name: 'flannel.apply',
    summary: 'Let pods reach each other by flannel',
    parts: (view) => {
      const file = cachedFile(programs, 'flannel-manifest', view);
      const objects = async () => {
        const found = await file.find();
        if (!found) throw fail('ASSET_MISSING', { host: view.host.name, item: file.title });
        return flannelObjects(parseManifests(await readFile(found.blob.path, 'utf8'), file.title), cluster, plugin);
      };
      return [applied({ name: 'flannel', objects })];
    },
  });

/** The makers' objects with the networks of the cluster. */
export const flannelObjects = (
  objects: readonly Manifest[],
  { network }: Cluster,
  plugin: Flannel,
): readonly Manifest[] =>
  objects.map((object) =>
    object.kind === 'ConfigMap' ? { ...object, data: withNetworks(object['data'], network.podCidrs, plugin) } : object,
  );

function withNetworks(data: unknown, cidrs: readonly string[], { backend }: Flannel): unknown {
  const [four, six] = [cidrs.find((cidr) => !cidr.includes(':')), cidrs.find((cidr) => cidr.includes(':'))];
  const settings = {
    ...(four === undefined ? { EnableIPv4: false } : { Network: four }),
    ...(six !== undefined && { EnableIPv6: true, IPv6Network: six }),
    EnableNFTables: false,
    Backend: { Type: backend },
  };
  return { ...(typeof data === 'object' ? data : {}), 'net-conf.json': `${JSON.stringify(settings, null, 2)}\n` };
}

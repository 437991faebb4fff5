import { rm } from 'node:fs/promises';
import { fail } from '../../common/errors/errors.ts';
import { at, items, parseJson, text } from '../json.ts';
import { withMachineLock } from '../../util/process-lock.ts';
import { networkOf } from '../names.ts';
import { removeOrphans } from './orphans.ts';
import { LAB_LABEL, podman, tryPodman } from '../podman.ts';
import { isolateNetwork, removeStaleIsolation } from './isolation.ts';
import { run } from '../run.ts';
import { chooseSubnet, gatewayOf, subnetNumber, subnetOf } from './subnet.ts';

/** Creates the network of a lab if missing, isolates it, and resolves with K of its subnet 10.177.K.0/24. */
export const ensureNetwork = (lab: string): Promise<number> =>
  withMachineLock('lab-network', async () => {
    const present = await networkNumber(lab);
    const number = present ?? chooseSubnet(await takenNumbers(), await routes());
    if (present === undefined) {
      await resetAddressAllocations();
      await createNetwork(lab, number);
    }
    await isolateNetwork(number, await bridgeOf(lab));
    return number;
  });

/** Removes the network of a lab, and the rules, bridges and namespaces of networks that no longer exist. */
export const removeNetwork = (lab: string): Promise<void> =>
  withMachineLock('lab-network', async () => {
    if (await networkExists(lab)) await podman(['network', 'rm', '--force', networkOf(lab)]);
    const inUse = await takenNumbers();
    await removeStaleIsolation(inUse);
    await removeOrphans(inUse);
  });

const networkExists = async (lab: string) => (await tryPodman(['network', 'exists', networkOf(lab)])).exit === 0;

/** The address at which the machines of a lab reach this computer. */
export async function gatewayOfLab(lab: string): Promise<string> {
  const number = await networkNumber(lab);
  if (number !== undefined) return gatewayOf(number);
  throw fail('LAB_NOT_FOUND', { name: lab, labs: (await networkLabs()).join(', ') || 'none' });
}

/** The names of labs that have a network. */
export const networkLabs = async (): Promise<readonly string[]> =>
  (await labNetworks()).map((network) => text(at(network, 'labels', LAB_LABEL)));

const createNetwork = (lab: string, number: number) =>
  podman(
    [
      ['network', 'create', '--label', `${LAB_LABEL}=${lab}`],
      ['--subnet', subnetOf(number), '--gateway', gatewayOf(number), networkOf(lab)],
    ].flat(),
  );

// If podman is killed, its address allocations stay in the IPAM database and block a new network of the same name.
// While no container runs, no address is in use, so the database can be deleted; podman recreates it.
async function resetAddressAllocations(): Promise<void> {
  if ((await podman(['ps', '--quiet'])).trim() === '') await rm('/run/containers/networks/ipam.db', { force: true });
}

async function networkNumber(lab: string): Promise<number | undefined> {
  const network = (await labNetworks()).find((candidate) => text(at(candidate, 'name')) === networkOf(lab));
  return network === undefined ? undefined : subnetNumber(text(at(network, 'subnets', 0, 'subnet')));
}

const bridgeOf = async (lab: string) =>
  text(at(parseJson(await podman(['network', 'inspect', networkOf(lab)])), 0, 'network_interface'));

const takenNumbers = async () =>
  (await labNetworks()).flatMap((network) => subnetNumber(text(at(network, 'subnets', 0, 'subnet'))) ?? []);

const labNetworks = async () =>
  items(parseJson(await podman(['network', 'ls', '--filter', `label=${LAB_LABEL}`, '--format', 'json'])));

const routes = async () =>
  items(parseJson(await run(['ip', '-json', '-4', 'route', 'show', 'table', 'all']))).map((route) => ({
    dst: text(at(route, 'dst')),
    type: text(at(route, 'type')),
  }));

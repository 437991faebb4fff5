import type { Assets } from '../../../resource/assets.ts';
import { sh } from '../../../runner/command.ts';
import { CONTAINERD } from '../../../template/containerd.ts';
import { installProgram } from '../../transfer/install-program.ts';
import { recordOwner } from '../shared/record-owner.ts';
import type { Step } from '../../contract/step.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import type { ImageStore } from '../shared/import-images.ts';
import { pullCommand } from '../shared/pull-on-host.ts';

/** Records whether the host had containerd before. */
export const recordContainerdOwner: Step = recordOwner(
  'containerd',
  sh`[ -n "$(PATH=/usr/local/bin:$PATH command -v containerd)" ] || [ -S ${CONTAINERD.socket} ]`,
);

/** Installs containerd, its shim and ctr. */
export const installContainerdProgram = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'containerd',
    summary: 'Install containerd',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)(containerd|ctr|containerd-shim-runc-v2)$/.test(member),
  });

/** The containerd images in the namespace that Kubernetes uses. */
export const containerdImages = ({ registry }: Cluster, { offline }: Pick<Assets, 'offline'>): ImageStore => ({
  ...STORE,
  // Hosts pull from a registry in parallel, which is faster than sending them all images from here.
  ...(registry.type !== 'none' && !offline && { pull: pullCommand }),
});

const STORE: ImageStore = {
  runtime: 'containerd',
  // An image whose import was interrupted is already listed, but incomplete.
  has: (ref) =>
    sh`[ -x /usr/local/bin/ctr ] && timeout 20 /usr/local/bin/ctr -n k8s.io images check -q name==${ref} 2>/dev/null | grep -qxF ${ref}`,
  load: (path) => sh`/usr/local/bin/ctr -n k8s.io images import ${path}`,
};

import { join } from 'node:path';
import type { Lab } from '../src/lab/up.ts';
import { sh, sshTo } from './shell.ts';

/** What a plain script copies to a node before it calls kubeadm: files, images and the names of system packages. */
export interface NodeFiles {
  readonly files: string;
  readonly images: string;
  readonly packages: string;
}

/** Saves from a node what kubexm copied to it, its images as one archive. */
export async function saveNodeFiles(lab: Lab, node: string, folder: string): Promise<NodeFiles> {
  const saved = {
    files: join(folder, 'files.tar'),
    images: join(folder, 'images.tar'),
    packages: join(folder, 'packages'),
  };
  await sh(`${sshTo(lab, node)} 'cd / && tar cf - $(ls -d ${PATHS.join(' ')} 2>/dev/null)' >${saved.files}`);
  const exportImages = 'ctr -n k8s.io images export /run/images.tar $(ctr -n k8s.io images ls -q | grep -v sha256:)';
  await sh(`${sshTo(lab, node)} '${exportImages} && cat /run/images.tar && rm /run/images.tar' >${saved.images}`);
  await sh(`${sshTo(lab, node)} 'dpkg-query -W -f "\\\${Package}\\n"' | sort >${saved.packages}`);
  return saved;
}

const PATHS = [
  'usr/local/bin',
  'usr/local/sbin',
  'opt/cni/bin',
  'etc/containerd',
  'etc/crictl.yaml',
  'etc/systemd/system/containerd.service',
  'etc/systemd/system/kubelet.service',
  'etc/systemd/system/kubelet.service.d',
  'etc/sysctl.d/99-kubexm.conf',
];

/** Shell commands that copy the files to `$node` and prepare it for kubeadm, with these lines in /etc/hosts. */
export function prepareNode(lab: Lab, { files, images, packages }: NodeFiles, hosts: readonly string[]): string {
  const there = sshTo(lab, '$node');
  return `  ${there} 'tar xf - -C /' <${files}
  ${there} 'cat >/run/packages' <${packages}
  ${there} 'cat >/run/images.tar' <${images}
  ${there} sh <<'END'
printf '%s\\n' ${hosts.map((line) => `'${line}'`).join(' ')} >>/etc/hosts
apt-get -qq update >/dev/null; have=$(dpkg-query -W -f "\\\${Package}\\n" | sort)
DEBIAN_FRONTEND=noninteractive apt-get -qq -y install $(echo "$have" | comm -13 - /run/packages) >/dev/null 2>&1
sysctl -q -w net.ipv4.ip_forward=1; sysctl -q --system >/dev/null 2>&1; systemctl daemon-reload; systemctl enable -q --now containerd kubelet
ctr -n k8s.io images import /run/images.tar >/dev/null; rm /run/images.tar
END`;
}

export const IGNORED = '--ignore-preflight-errors=SystemVerification,Mem,NumCPU';

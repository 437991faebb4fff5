import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';

/**
 * Runs a phase of kubeadm with the file that comes through standard input: tokens and keys stand in no file of the host.
 * A disk that is full is often no word of kubeadm's, so it is tried where kubeadm fails.
 */
export function kubeadmCommand(
  phase: 'init' | 'join',
  { etcd }: Cluster,
  { flags = sh``, files = [] }: KubeadmOptions = {},
): Command {
  const dataDir = etcd.type === 'kubeadm' ? etcd.dataDir : '';
  const kubeadm = { text: `kubeadm ${phase}`, display: `kubeadm ${phase}` };
  return {
    text: sh`export PATH=/usr/local/bin:$PATH; ${brought(files)}${kubeadm} --config /dev/stdin ${flags} || {
exit=$?
for at in /etc/kubernetes /var/lib/kubelet ${dataDir}; do
  [ ! -d "$at" ] || dd if=/dev/zero of="$at/.kubexm-room" bs=64k count=1 2>&1 | grep -i -e 'no space left' -e 'quota exceeded' >&2
  rm -f -- "$at/.kubexm-room"
done
exit $exit
}`.text,
    display: kubeadm.display,
  };
}

/** What a phase is called with, beside its file. */
export interface KubeadmOptions {
  readonly flags?: Command;
  /** On the host for as long as it runs; nothing secret. */
  readonly files?: readonly { readonly path: string; readonly content: string }[];
}

function brought(files: NonNullable<KubeadmOptions['files']>): Command {
  const paths = files.map(({ path }) => sh`${path}`.text).join(' ');
  const writes = files.map(({ path, content }) => sh`printf %s ${content} >${path} || exit`.text);
  const text = [`trap 'rm -f -- ${paths}' EXIT; trap 'exit 129' HUP INT TERM`, ...writes, ''].join('\n');
  return { text: files.length === 0 ? '' : text, display: '' };
}

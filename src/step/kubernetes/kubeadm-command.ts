import type { Cluster } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';

/**
 * Runs kubeadm with a configuration from standard input, so that tokens and keys are never written to a file on the host.
 * kubeadm often does not report that a disk is full, so a small write is tried after a failure.
 */
export function kubeadmCommand(
  subcommand: 'init' | 'join',
  { etcd }: Cluster,
  { flags = sh``, files = [] }: KubeadmOptions = {},
): Command {
  const dataDir = etcd.type === 'kubeadm' ? etcd.dataDir : '';
  const kubeadm = { text: `kubeadm ${subcommand}`, display: `kubeadm ${subcommand}` };
  return {
    text: sh`export PATH=/usr/local/bin:$PATH; ${temporary(files)}${kubeadm} --config /dev/stdin ${flags} || {
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

/** Runs a phase of kubeadm with a configuration from standard input. */
export const kubeadmPhase = (phase: string): Command => ({
  text: `export PATH=/usr/local/bin:$PATH; kubeadm ${phase} --config /dev/stdin`,
  display: `kubeadm ${phase}`,
});

export interface KubeadmOptions {
  readonly flags?: Command;
  /** Files in /run, readable only by root, that exist while kubeadm runs. */
  readonly files?: readonly { readonly path: string; readonly content: string }[];
}

function temporary(files: NonNullable<KubeadmOptions['files']>): Command {
  const paths = files.map(({ path }) => sh`${path}`.text).join(' ');
  const writes = files.map(({ path, content }) => sh`(umask 077; printf %s ${content} >${path}) || exit`.text);
  const text = [`trap 'rm -f -- ${paths}' EXIT; trap 'exit 129' HUP INT TERM`, ...writes, ''].join('\n');
  return { text: files.length === 0 ? '' : text, display: '' };
}

/** The error of a failed kubeadm command without warnings, which fill the error output; without an error its last progress. */
export function kubeadmErrors({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !NOISE.test(line));
  return lines.length > 0 ? lines.join('\n') : stdout.trim() || stderr;
}

const NOISE = /^\s*\[WARNING |^[IW]\d{4} |^To see the stack trace|^\[preflight\] If you know what you are doing/;

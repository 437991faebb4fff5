import { X509Certificate } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { CERTIFICATES_PROBE } from '../../src/runtime/probe/certificates.ts';
import { runKubexm } from '../lab/support/lab-cluster.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { labNames, sshText } from '../lab/support.ts';

const named = await labNames();
const version = '1.36.3';

let seen: readonly [Seen, Seen];
beforeAll(async () => {
  seen = [await seenOf('kubeadm'), await seenOf('kubexm')];
}, 3_600_000);

it('a cluster from binaries has the certificates of one of kubeadm: names, usages, and all that they are for', () => {
  const [{ certificates: theirs }, { certificates: ours }] = seen;
  console.log(`${theirs.length} certificates of kubeadm, ${ours.length} of binaries:\n${ours.join('\n')}`);
  expect(theirs.length).toBeGreaterThan(10);
  const [missing, more] = [
    theirs.filter((line) => !ours.includes(line)),
    ours.filter((line) => !theirs.includes(line)),
  ];
  // What the kubelet would sign itself is signed by the authority of the cluster.
  expect(missing).toEqual(['/var/lib/kubelet/pki/kubelet.crt | CN=node1@TIME | 1.3.6.1.5.5.7.3.1 | DNS:node1']);
  expect(more).toEqual([
    '/etc/kubernetes/kube-proxy.conf | CN=system:kube-proxy | 1.3.6.1.5.5.7.3.2 | ',
    '/etc/kubernetes/pki/kubelet.crt | CN=system:node:node1 O=system:nodes | 1.3.6.1.5.5.7.3.1 | DNS:node1 IP Address:ADDRESS',
  ]);
});

it('and its parts listen where those of kubeadm do, and no wider', () => {
  const [{ listening: theirs }, { listening: ours }] = seen;
  console.log(`listening on: ${ours.join(', ')}`);
  expect(ours).toEqual(theirs);
  expect(ours).toEqual(expect.arrayContaining(['*:6443', '*:10250', '127.0.0.1:10257', '127.0.0.1:10259']));
});

it('a part that does not run is seen, as a pod of kubeadm is', async () => {
  const [, { lab, file }] = seen;
  const health = () => runKubexm(lab, file, 'health', 'cluster', '--wait', '1m');
  expect((await health()).exit).toBe(0);
  await sshText(lab, 'node1', 'systemctl stop kube-scheduler');
  const { exit, stdout } = await runKubexm(lab, file, 'health', 'cluster');
  expect(exit).toBe(10);
  expect(stdout).toContain('kube-scheduler.service is inactive');
  await sshText(lab, 'node1', 'systemctl start kube-scheduler');
  expect((await health()).exit).toBe(0);
}, 300_000);

interface Seen {
  readonly lab: Lab;
  readonly file: string;
  readonly certificates: readonly string[];
  readonly listening: readonly string[];
}

async function seenOf(type: 'kubeadm' | 'kubexm'): Promise<Seen> {
  const lab = await labUp({ name: named(`certs-${type}`), machines: 1 });
  const mirror = await clusterMirror(lab, version);
  try {
    const file = await mirroredClusterFile(lab, mirror, { version, spec: { kubernetes: { type } } });
    const { exit, stderr } = await runKubexm(lab, file, 'create', 'cluster', '--skip-preflight');
    expect(exit, stderr).toBe(0);
    const told = (text: string) => text.replaceAll(lab.machines[0]!.address, 'ADDRESS');
    return {
      lab,
      file,
      certificates: certificatesIn(await sshText(lab, 'node1', CERTIFICATES_PROBE.text))
        .map(told)
        .toSorted(),
      listening: told(await sshText(lab, 'node1', LISTENING))
        .split('\n')
        .filter(Boolean)
        .toSorted(),
    };
  } finally {
    await mirror.close();
  }
}

// Ports above are those that programs are given when they ask for any.
const LISTENING = `ss -Hlnt | awk '{ print $4 }' | awk -F: '$NF < 32768' | sort -u`;

/** One line for each: where it is, whom it is of, what it is for, and all names. */
const certificatesIn = (text: string): readonly string[] =>
  text
    .split(/^== /m)
    .filter((section) => section.includes('-BEGIN CERTIFICATE-'))
    .map((section) => {
      const [path = ''] = section.split('\n');
      const { subject, keyUsage, subjectAltName, ca } = new X509Certificate(section.slice(path.length));
      const names = (subjectAltName ?? '').split(', ').toSorted().join(' ');
      const whose = subject.split('\n').toSorted().join(' ');
      const uses = ca ? 'authority' : (keyUsage ?? []).toSorted().join(' ');
      // The kubelet names its own authority by the time it was made.
      return [path, whose, uses, names].join(' | ').replaceAll(/@\d+/g, '@TIME');
    });

import { X509Certificate } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { CERTIFICATES_PROBE } from '../../src/runtime/probe/certificates.ts';
import { runKubexm } from '../lab/support/lab-cluster.ts';
import { clusterMirror, mirroredClusterFile } from '../lab/support/cluster-mirror.ts';
import { labNames, sshText } from '../lab/support.ts';

const named = await labNames();
const version = '1.36.3';

let clusters: readonly [Observed, Observed];
beforeAll(async () => {
  clusters = [await observe('kubeadm'), await observe('kubexm')];
}, 3_600_000);

it('a cluster in binary mode has the same certificates as one created by kubeadm', () => {
  const [{ certificates: theirs }, { certificates: ours }] = clusters;
  console.log(`${theirs.length} certificates with kubeadm, ${ours.length} in binary mode:\n${ours.join('\n')}`);
  expect(theirs.length).toBeGreaterThan(10);
  const [missing, additional] = [
    theirs.filter((line) => !ours.includes(line)),
    ours.filter((line) => !theirs.includes(line)),
  ];
  // The cluster CA signs the kubelet certificate, instead of the kubelet itself.
  expect(missing).toEqual(['/var/lib/kubelet/pki/kubelet.crt | CN=node1@TIME | 1.3.6.1.5.5.7.3.1 | DNS:node1']);
  expect(additional).toEqual([
    '/etc/kubernetes/kube-proxy.conf | CN=system:kube-proxy | 1.3.6.1.5.5.7.3.2 | ',
    '/etc/kubernetes/pki/kubelet.crt | CN=system:node:node1 O=system:nodes | 1.3.6.1.5.5.7.3.1 | DNS:node1 IP Address:ADDRESS',
  ]);
});

it('its components listen on the same addresses as with kubeadm', () => {
  const [{ listening: theirs }, { listening: ours }] = clusters;
  console.log(`listening on: ${ours.join(', ')}`);
  expect(ours).toEqual(theirs);
  expect(ours).toEqual(expect.arrayContaining(['*:6443', '*:10250', '127.0.0.1:10257', '127.0.0.1:10259']));
});

it('a stopped component is reported by the health check', async () => {
  const [, { lab, file }] = clusters;
  const health = () => runKubexm(lab, file, 'health', 'cluster', '--wait', '1m');
  expect((await health()).exit).toBe(0);
  await sshText(lab, 'node1', 'systemctl stop kube-scheduler');
  const { exit, stdout } = await runKubexm(lab, file, 'health', 'cluster');
  expect(exit).toBe(10);
  expect(stdout).toContain('kube-scheduler.service is inactive');
  await sshText(lab, 'node1', 'systemctl start kube-scheduler');
  expect((await health()).exit).toBe(0);
}, 300_000);

interface Observed {
  readonly lab: Lab;
  readonly file: string;
  readonly certificates: readonly string[];
  readonly listening: readonly string[];
}

async function observe(type: 'kubeadm' | 'kubexm'): Promise<Observed> {
  const lab = await labUp({ name: named(`certs-${type}`), machines: 1 });
  const mirror = await clusterMirror(lab, version);
  try {
    const file = await mirroredClusterFile(lab, mirror, { version, spec: { kubernetes: { type } } });
    const { exit, stderr } = await runKubexm(lab, file, 'create', 'cluster', '--skip-preflight');
    expect(exit, stderr).toBe(0);
    const anonymize = (text: string) => text.replaceAll(lab.machines[0]!.address, 'ADDRESS');
    return {
      lab,
      file,
      certificates: certificateLines(await sshText(lab, 'node1', CERTIFICATES_PROBE.text))
        .map(anonymize)
        .toSorted(),
      listening: anonymize(await sshText(lab, 'node1', LISTENING))
        .split('\n')
        .filter(Boolean)
        .toSorted(),
    };
  } finally {
    await mirror.close();
  }
}

// Higher ports are ephemeral.
const LISTENING = `ss -Hlnt | awk '{ print $4 }' | awk -F: '$NF < 32768' | sort -u`;

/** One line per certificate: path, subject, usages and alternative names. */
const certificateLines = (text: string): readonly string[] =>
  text
    .split(/^== /m)
    .filter((section) => section.includes('-BEGIN CERTIFICATE-'))
    .map((section) => {
      const [path = ''] = section.split('\n');
      const { subject, keyUsage, subjectAltName, ca } = new X509Certificate(section.slice(path.length));
      const names = (subjectAltName ?? '').split(', ').toSorted().join(' ');
      const owner = subject.split('\n').toSorted().join(' ');
      const uses = ca ? 'CA' : (keyUsage ?? []).toSorted().join(' ');
      // The name of the kubelet's own CA contains its creation time.
      return [path, owner, uses, names].join(' | ').replaceAll(/@\d+/g, '@TIME');
    });

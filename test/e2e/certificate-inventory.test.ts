import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { labUp } from '../../src/lab/up.ts';
import { CERTIFICATES_QUESTION } from '../../src/runtime/look/certificates.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, clusterOn } from '../lab/cluster-mirror.ts';
import { labNames, sshText } from '../lab/support.ts';

const name = (await labNames())('inventory');
const version = '1.36.3';

it('a cluster from binaries has the certificates of one of kubeadm: names, usages, and all that they are for', async () => {
  const lab = await labUp({ name, machines: 1 });
  const mirror = await clusterMirror(lab, version);
  const env = { KUBEXM_HOME: process.env['KUBEXM_HOME']! };
  const inventoryOf = async (type: string) => {
    const file = await clusterOn(lab, mirror, { version, spec: { kubernetes: { type } } });
    const call = async (...args: readonly string[]) => {
      const { exit, stderr } = await kubexm([...args, '-f', file, '--workdir', lab.paths.folder], env);
      expect(exit, stderr).toBe(0);
    };
    await call('create', 'cluster', '--skip-preflight');
    const seen = told(await sshText(lab, 'node1', CERTIFICATES_QUESTION.text));
    await call('delete', 'cluster', '--yes');
    return seen;
  };
  try {
    const [ours, theirs] = [await inventoryOf('kubexm'), await inventoryOf('kubeadm')];
    console.log(`${theirs.length} certificates of kubeadm, ${ours.length} of binaries\n${theirs.join('\n')}`);
    expect(theirs.length).toBeGreaterThan(10);
    expect(ours).toEqual(expect.arrayContaining([...theirs]));
    const more = ours.filter((line) => !theirs.includes(line));
    expect(more).toEqual(['/etc/kubernetes/kube-proxy.conf | CN=system:kube-proxy | 1.3.6.1.5.5.7.3.2 | ']);
  } finally {
    await mirror.close();
  }
}, 3_600_000);

/** One line for each: where it is, whom it is of, what it is for, and all names. */
const told = (text: string): readonly string[] =>
  text
    .split(/^== /m)
    .slice(1)
    .map((section) => {
      const [path = ''] = section.split('\n');
      const { subject, keyUsage, subjectAltName, ca } = new X509Certificate(section.slice(path.length));
      const names = (subjectAltName ?? '').split(', ').toSorted().join(' ');
      // The kubelet names its own authority by the time it was made.
      const whose = subject
        .split('\n')
        .toSorted()
        .join(' ')
        .replace(/-ca@\d+/, '-ca');
      return [
        path,
        whose,
        ca ? 'authority' : (keyUsage ?? []).toSorted().join(' '),
        names.replace(/-ca@\d+/, '-ca'),
      ].join(' | ');
    })
    .toSorted();

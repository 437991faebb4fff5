import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { issueCa, issueCertificate } from '../../../../src/pki/issue.ts';
import { makeKey } from '../../../../src/pki/key.ts';
import { certificateProblems } from '../../../../src/pki/validate.ts';
import { requestsOf } from '../../../../src/step/kubernetes/binary/certificates.ts';
import { formerControlPlane, kubeadmConfiguration } from '../../../../src/step/kubernetes/kubeadm-configuration.ts';
import { kubeadmInitOptions } from '../../../../src/step/kubernetes/kubeadm-options.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';

const before = await loadCluster('examples/ha-kubexm-kh.yaml', {
  overrides: ['roleGroups.master=["node1"]', 'roleGroups.etcd=["node1"]'],
});
const after = await loadCluster('examples/ha-kubexm-kh.yaml');
/** With an etcd that kubeadm runs, whose endpoints are not in the configuration. */
const stacked = ({ master }: { readonly master: string }) =>
  loadCluster('examples/ha-kubexm-kh.yaml', {
    overrides: [`roleGroups.master=${master}`, 'roleGroups.etcd=[]', 'etcd.type=kubeadm'],
  });

describe('a new master', () => {
  it('does not make certificates of other API servers invalid, but its own names and the endpoint are required', async () => {
    const serving = (cluster: Cluster) =>
      requestsOf(cluster)[0]!.certificates.find(({ name }) => name === 'node1/apiserver')!;
    const caKey = await makeKey();
    const ca = await issueCa({ name: 'ca', commonName: 'kubernetes', days: 10 }, caKey);
    const key = await makeKey();
    const certificate = await issueCertificate(serving(before), key, { certificate: ca, key: caKey });
    expect(serving(after).dns).toContain('node2');
    expect(
      certificateProblems({ certificate, key }, serving(after), ca).filter((each) => !each.includes('days')),
    ).toEqual([]);
    const moved = { ...after, endpoint: { ...after.endpoint, domain: 'api.example.com' } };
    expect(certificateProblems({ certificate, key }, serving(moved), ca)).toContain(
      'it is not valid for api.example.com',
    );
  });

  it('does not change what kubeadm generates for the others, but what is stored in the cluster', async () => {
    const checksums = (cluster: Cluster) => {
      const hosts = hostsOf(cluster);
      const options = kubeadmInitOptions(cluster, [])({ host: hosts.all[0]!, hosts, facts: fakeFacts('node1') });
      return { ...kubeadmConfiguration(options), former: formerControlPlane(options) };
    };
    const one = checksums(await stacked({ master: '["node1"]' }));
    const other = checksums(await stacked({ master: '["node1","node2","node3"]' }));
    expect(other['control-plane']).toBe(one['control-plane']);
    expect(other.cluster).not.toBe(one.cluster);
    expect(other.former).not.toBe(one.former);
  });
});

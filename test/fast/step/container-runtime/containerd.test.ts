import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/common/secret.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { registryHosts } from '../../../../src/config/model/registry-hosts.ts';
import { registryFiles, registryLogins } from '../../../../src/step/container-runtime/containerd/registries.ts';
import { containerdConfig, containerdUnit } from '../../../../src/template/containerd.ts';
import { crictlConfig } from '../../../../src/template/crictl.ts';

const golden = (name: string) => `../../../golden/containerd/${name}`;
const settings = {
  root: '/var/lib/containerd',
  sandboxImage: 'registry.k8s.io/pause:3.10.1',
  certsFolder: '/etc/containerd/certs.d',
  logins: { 'hub.example.com': { username: 'ann', password: 'geheim' } },
  restricted: false,
};

describe('config.toml', () => {
  it.each(['1.6.39', '1.7.33', '2.0.7', '2.2.9', '2.4.0'])('of containerd %s', async (version) => {
    const text = containerdConfig({ ...settings, version });
    expect(parse(text)).toMatchObject({ version: version.startsWith('1') ? 2 : 3 });
    await expect(text).toMatchFileSnapshot(golden(`config-${version}.toml`));
  });

  it('requires no privileges that a host in a container does not have', async () => {
    const text = containerdConfig({ ...settings, version: '2.2.9', logins: {}, restricted: true, root: '/data/ctr' });
    await expect(text).toMatchFileSnapshot(golden('config-container.toml'));
  });
});

it.each([true, false])('containerd.service, in a container: %s', async (restricted) => {
  await expect(containerdUnit({ restricted })).toMatchFileSnapshot(
    golden(`containerd${restricted ? '-container' : ''}.service`),
  );
});

it('crictl.yaml', async () => {
  await expect(crictlConfig('unix:///run/containerd/containerd.sock')).toMatchFileSnapshot(golden('crictl.yaml'));
});

describe('certs.d', () => {
  const files = async () => {
    const cluster = await loadCluster('test/fixtures/registries.yaml');
    const password = new Secret('geheim');
    const hosts = registryHosts(cluster);
    const credentials = {
      'hub.example.com': { username: 'ann', password, ca: 'CA\n', cert: 'CERT\n', key: 'KEY\n' },
      'docker.io': { username: 'bob', password },
    };
    return { files: registryFiles(hosts, credentials), logins: registryLogins(hosts, credentials) };
  };

  it('has a hosts.toml for each registry, and its certificates', async () => {
    const text = (await files()).files.map(
      ({ name, content, secret }) => `==> ${name}${secret ? ' (0600)' : ''}\n${content}`,
    );
    await expect(text.join('\n')).toMatchFileSnapshot(golden('certs.d.txt'));
  });

  it('writes passwords only to files that only root can read', async () => {
    const { files: all, logins } = await files();
    const basic = Buffer.from('ann:geheim').toString('base64');
    const withSecrets = all.filter(({ content }) => content.includes(basic) || content.includes('KEY'));
    expect(withSecrets.filter(({ secret }) => !secret)).toEqual([]);
    expect(withSecrets.map(({ name }) => name)).toContain('hub.example.com/hosts.toml');
    expect(Object.keys(logins)).toEqual(['registry-1.docker.io', 'hub.example.com']);
  });
});

import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { registryHosts } from '../../../../src/config/model/registry-hosts.ts';

const hosts = async (...overrides: readonly string[]) => {
  const cluster = await loadCluster('examples/single-node.yaml', { overrides });
  return registryHosts(cluster).map(({ auth, mirrors, ...rest }) => ({
    ...rest,
    user: auth?.username,
    mirrors: mirrors.map(({ host, path, plainHttp }) => `${plainHttp ? 'http' : 'https'}://${host}/${path}`),
  }));
};
const plain = { ca: undefined, skipVerify: false, plainHttp: false, user: undefined, mirrors: [] };

describe('registryHosts', () => {
  it('is empty if the cluster file configures no registry', async () => expect(await hosts()).toEqual([]));

  it('keeps the order of Docker Hub mirrors, given as URL or as host name', async () => {
    const mirrors = 'kubernetes.containerRuntime.registryMirrors=["http://10.0.0.1:5000/hub","mirror.example.com"]';
    expect(await hosts(mirrors)).toEqual([
      { ...plain, host: 'docker.io', mirrors: ['http://10.0.0.1:5000/hub', 'https://mirror.example.com/'] },
    ]);
  });

  it('uses imageMirror for every public registry, with the TLS settings of its auth', async () => {
    const found = await hosts(
      'artifacts.imageMirror=mirror.example.com:5000/images',
      'registry.auths={"mirror.example.com:5000":{"plainHTTP":true}}',
    );
    expect(found.find(({ host }) => host === 'registry.k8s.io')).toEqual({
      ...plain,
      host: 'registry.k8s.io',
      mirrors: ['http://mirror.example.com:5000/images/registry.k8s.io'],
    });
    expect(found.map(({ host }) => host)).toContain('mirror.example.com:5000');
  });

  it('treats insecure registries like Docker and includes the credentials of the private registry', async () => {
    const found = await hosts(
      'kubernetes.containerRuntime.insecureRegistries=["10.0.0.2:5000"]',
      'registry.privateRegistry=hub.example.com',
      'registry.auths={"hub.example.com":{"username":"ann","password":{"env":"X"},"certsPath":"/certs"}}',
    );
    const named = found.filter(({ mirrors }) => mirrors.length === 0);
    expect(named).toEqual([
      { ...plain, host: '10.0.0.2:5000', skipVerify: true, plainHttp: true },
      { ...plain, host: 'hub.example.com', user: 'ann', ca: '/certs' },
    ]);
  });

  it.each([
    ['external', '', ['https://hub.example.com/']],
    ['external', 'kube', ['https://hub.example.com/kube']],
    ['harbor', '', ['https://hub.example.com/', 'https://hub.example.com/library']],
    ['harbor', 'kube', ['https://hub.example.com/kube']],
  ])('uses the private registry (%s, project "%s") as a mirror of every public one', async (type, project, mirrors) => {
    const found = await hosts(
      `registry.type=${type}`,
      'registry.privateRegistry=hub.example.com',
      `registry.namespaceOverride=${project}`,
      ...(type === 'harbor' ? ['roleGroups.registry=["node1"]'] : []),
    );
    for (const name of ['docker.io', 'registry.k8s.io', 'quay.io'])
      expect(found.find(({ host }) => host === name)?.mirrors).toEqual(mirrors);
  });
});

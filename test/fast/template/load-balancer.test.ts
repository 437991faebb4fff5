import { expect, it } from 'vitest';
import { loadCluster } from '../../../src/config/load/load.ts';
import { backendsOf } from '../../../src/template/load-balancer/backend.ts';
import { haproxyConf } from '../../../src/template/load-balancer/haproxy.ts';
import { keepalivedConf } from '../../../src/template/load-balancer/keepalived.ts';
import { nginxConf } from '../../../src/template/load-balancer/nginx.ts';

const cluster = await loadCluster('test/fixtures/kubeadm.yaml', {});
const backends = backendsOf(cluster);
const golden = (name: string) => `../../golden/kubernetes/${name}`;

it('backends are all masters at the API server port', async () => {
  expect(backends.map(({ address }) => address)).toEqual(['10.0.0.1:6443', '10.0.0.2:6443', '10.0.0.3:6443']);
  const moved = await loadCluster('test/fixtures/kubeadm.yaml', {
    overrides: ['kubernetes.apiserver.extraArgs.secure-port=7443', 'controlPlaneEndpoint.port=7443'],
  });
  const [first] = moved.hosts;
  expect(backendsOf({ ...moved, hosts: [{ ...first!, internalAddresses: ['fd00::1'] }] })).toEqual([
    { name: 'node1', address: '[fd00::1]:7443' },
  ]);
});

it('haproxy.cfg', () =>
  expect(haproxyConf({ listen: ['127.0.0.1'], port: 6443, backends, healthPort: 8404 })).toMatchFileSnapshot(
    golden('haproxy.cfg'),
  ));

it('haproxy reports whether it has an API server only to keepalived, because a liveness probe would restart it', () => {
  const options = { listen: ['*'], port: 6443, backends, healthPort: 8404 };
  const rule = 'monitor fail if { nbsrv(kube-apiserver) lt 1 }';
  expect(haproxyConf({ ...options, reportsBackends: true })).toContain(`  monitor-uri /healthz\n  ${rule}\n`);
  expect(haproxyConf(options)).not.toContain('monitor fail');
});

it('nginx.conf', () =>
  expect(
    nginxConf({
      listen: ['*'],
      port: 6443,
      backends,
      healthPort: 8404,
      streamModule: '/usr/lib/nginx/modules/ngx_stream_module.so',
    }),
  ).toMatchFileSnapshot(golden('nginx.conf')));

it('keepalived.conf', () =>
  expect(
    keepalivedConf({
      name: 'lb1',
      address: '10.0.0.8',
      peers: ['10.0.0.9'],
      interface: 'eth0',
      virtualIp: '10.0.0.100',
      routerId: 51,
      priority: 100,
      unicast: true,
      checkScript: '/etc/kubexm/load-balancer/check.sh',
      apiScript: '/etc/kubexm/load-balancer/check-api.sh',
    }),
  ).toMatchFileSnapshot(golden('keepalived.conf')));

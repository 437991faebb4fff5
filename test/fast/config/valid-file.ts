import fc from 'fast-check';

/** Generates valid cluster files. */
export const validFile = fc
  .record({
    count: fc.integer({ min: 1, max: 9 }),
    masters: fc.constantFrom(1, 3),
    type: fc.constantFrom('kubeadm', 'kubexm'),
    minor: fc.constantFrom(31, 33, 35, 36),
    dual: fc.boolean(),
  })
  .chain(({ count, masters, type, minor, dual }) => {
    const total = Math.max(count, masters);
    return fc.record({
      apiVersion: fc.constant('kubexm.mensylisir.io/v1alpha1'),
      kind: fc.constant('Cluster'),
      metadata: fc.record({ name: label }),
      spec: fc.record({
        hosts: hosts(total, dual),
        hostKeys: fc.constantFrom('tofu', 'strict'),
        roleGroups: fc.constant({
          etcd: [`node[1:${masters}]`],
          master: [`node[1:${masters}]`],
          worker: [`node[1:${total}]`],
        }),
        controlPlaneEndpoint: endpoint(masters, type),
        system: optional({
          ntpServers: fc.constantFrom([], ['node1'], ['node1', 'ntp.example.com'], ['198.51.100.200']),
          timezone: fc.constantFrom('UTC', 'Asia/Shanghai', 'Europe/Berlin'),
          rpms: fc.array(label, { maxLength: 2 }),
          firewall: fc.constantFrom('disable', 'rules', 'keep'),
          sysctl: fc.constantFrom('set', 'keep'),
          preInstall: fc.array(fc.record({ name: label, bash: words }), { maxLength: 2 }),
        }),
        kubernetes: kubernetes(minor, type),
        etcd: etcd(masters),
        network: network(dual),
        storage: optional({ openebs: fc.constant({}), localPath: fc.boolean() }),
        dns: optional({
          dnsEtcHosts: fc.constantFrom('', '198.51.100.9 a.example.com\n'),
          coredns: optional({ additionalConfigs: words }),
        }),
        addons: fc.constantFrom([], ['metallb'], [{ name: 'own', type: 'yaml', source: { path: 'a.yaml' } }]),
        artifacts: optional({ zone: fc.constantFrom('', 'cn'), mirror: fc.constantFrom('', 'http://127.0.0.1:1/') }),
      }),
    });
  });

const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
/** Strings that YAML could parse as another type. */
const words = fc.oneof(
  fc.constantFrom('yes', '0x10', '1e3', 'null', '~', '- a', 'a: b', '# x', "it's", '"q"', 'line\nline'),
  fc.stringMatching(/^[ -~]{1,30}$/).filter((text) => text.trim() === text),
);
const line = words.filter((text) => !text.includes('\n'));
const optional = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });
const secret = fc.oneof(words, fc.record({ env: label }), fc.record({ file: label }), fc.record({ exec: words }));

const hosts = (count: number, dual: boolean) =>
  fc.tuple(...Array.from({ length: count }, (_, index) => host(index + 1, dual)));

const host = (number: number, dual: boolean) =>
  fc
    .record(
      {
        port: fc.integer({ min: 1, max: 65_535 }),
        user: fc.constantFrom('root', 'ubuntu'),
        password: secret,
        labels: fc.dictionary(label, label, { maxKeys: 3 }),
        taints: fc.constantFrom([], ['a=b:NoSchedule'], [{ key: 'a', effect: 'NoExecute' }]),
        timeout: fc.constantFrom('30s', '1m30s', '500ms', 45),
        arch: fc.constantFrom('amd64', 'arm64'),
        privateKeyPath: words,
        jump: fc.oneof(
          fc.constantFrom('ops@bastion.example.com', 'bastion.example.com:2222'),
          fc.record(
            { address: fc.constant('bastion.example.com'), password: secret, user: label },
            { requiredKeys: ['address'] },
          ),
        ),
      },
      { requiredKeys: [] },
    )
    .map((more) => {
      const address = `198.51.100.${number}`;
      return {
        name: `node${number}`,
        address,
        ...(dual && { internalAddress: `${address},2001:db8::${number}` }),
        ...more,
      };
    });

const endpoint = (masters: number, type: string) =>
  fc.constantFrom<object>(
    { internalLoadbalancer: 'haproxy' },
    { internalLoadbalancer: 'nginx', port: 6443 },
    ...(type === 'kubeadm' ? [{ internalLoadbalancer: 'kube-vip', lb_address: '198.51.100.250' }] : []),
    ...(masters === 1 ? [{}] : []),
  );

const kubernetes = (minor: number, type: string) =>
  fc.record(
    {
      version: fc.constantFrom(`v1.${minor}.1`, `1.${minor}.2`),
      type: fc.constant(type),
      maxPods: fc.integer({ min: 1, max: 254 }),
      containerRuntime: optional({
        type: fc.constantFrom('containerd', 'docker', 'cri-o', 'isulad'),
        dataDir: fc.constantFrom('/data', '/var/lib/x'),
      }),
      proxyMode: fc.constantFrom('auto', 'nftables', 'iptables', 'ipvs'),
      audit: fc.constantFrom<unknown>(true, false, { enabled: true }),
      kubeletConfiguration: fc.dictionary(label, fc.oneof(fc.integer(), fc.boolean(), words, fc.constant(null)), {
        maxKeys: 3,
      }),
      kubelet: fc.record({ extraArgs: fc.dictionary(label, fc.oneof(fc.integer(), line), { maxKeys: 2 }) }),
    },
    { requiredKeys: ['version', 'type'] },
  );

const etcd = (masters: number) =>
  optional({
    type: fc.constant(masters > 0 ? 'kubexm' : 'external'),
    snapshotCount: fc.integer({ min: 1, max: 100_000 }),
    backup: optional({
      keep: fc.integer({ min: 1, max: 9 }),
      schedule: fc.constantFrom('daily', 'every 2h', '*/5 1-3 * * 0'),
    }),
  });

const network = (dual: boolean) =>
  fc.record({
    plugin: fc.constantFrom('calico', 'flannel', 'cilium', 'kube-ovn', 'none'),
    kubePodsCIDR: fc.constant(dual ? '10.233.64.0/18,fd85::1:0/112' : '10.233.64.0/18'),
    kubeServiceCIDR: fc.constant(dual ? '10.233.0.0/18,fd85::1000/116' : '10.233.0.0/18'),
  });

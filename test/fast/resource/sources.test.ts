import { describe, expect, it } from 'vitest';
import { listedChecksum, parseChecksums, publishedChecksum } from '../../../src/resource/download/checksum-file.ts';
import { createProgressMeter } from '../../../src/resource/download/progress-meter.ts';
import { downloadSources, effectiveZone } from '../../../src/resource/download/sources.ts';

const KUBELET = 'https://dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet';
const checksum = (letter: string) => letter.repeat(64);

describe('sources', () => {
  it('are the mirror, the mirrors of the zone and the publisher, in this order', () => {
    expect(downloadSources(KUBELET, { mirror: 'http://10.0.0.1/m/', zone: 'cn' }).map(({ url }) => url)).toEqual([
      'http://10.0.0.1/m/dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet',
      'https://files.m.daocloud.io/dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet',
      'https://kubekey.pek3b.qingstor.com/dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet',
      KUBELET,
    ]);
    expect(downloadSources(KUBELET, { mirror: '', zone: '' })).toEqual([
      { url: KUBELET, host: 'dl.k8s.io', isPublisher: true },
    ]);
  });

  it('for Docker in China start with a dedicated mirror', () => {
    const docker = 'https://download.docker.com/linux/static/stable/x86_64/docker-28.5.2.tgz';
    expect(downloadSources(docker, { mirror: '', zone: 'cn' })[0]?.url).toBe(
      'https://mirrors.aliyun.com/docker-ce/linux/static/stable/x86_64/docker-28.5.2.tgz',
    );
  });

  it('use the zone from the cluster file or the environment', () => {
    expect([
      effectiveZone('cn', {}),
      effectiveZone('', { KMZONE: 'cn' }),
      effectiveZone('', {}),
      effectiveZone('', { KMZONE: 'eu' }),
    ]).toEqual(['cn', 'cn', '', '']);
  });
});

describe('checksum files', () => {
  it.each([
    ['without a name', `${checksum('a')}\n`, checksum('a')],
    ['with a name', `${checksum('b')}  other\n${checksum('a')}  kubelet\n`, checksum('a')],
    ['with a star', `${checksum('a')} *kubelet`, checksum('a')],
    ['with a path', `${checksum('a')}  ./bin/kubelet`, checksum('a')],
    ['in BSD format', `SHA256 (kubelet) = ${checksum('a')}`, checksum('a')],
    ['of other algorithms', `${'a'.repeat(128)}  kubelet\nd41d8cd98f00b204e9800998ecf8427e  kubelet`, undefined],
    ['of other files', `${checksum('a')}  kubeadm`, undefined],
    ['two without names', `${checksum('a')}\n${checksum('b')}`, undefined],
    ['a web page', '<html>not here</html>', undefined],
  ])('%s', (_, text, found) => expect(publishedChecksum(parseChecksums(text), KUBELET)).toBe(found));

  it('match by the longest path suffix', () => {
    const lines = parseChecksums(
      `${checksum('a')}  kubelet\n${checksum('b')}  amd64/kubelet\n${checksum('c')}  arm64/kubelet`,
    );
    expect(listedChecksum(lines, KUBELET, 'checksums.txt')).toBe(checksum('b'));
    expect(listedChecksum(lines, KUBELET.replace('amd64', 's390x'), 'checksums.txt')).toBe(checksum('a'));
    expect(listedChecksum(lines, KUBELET.replace('kubelet', 'mykubelet'), 'checksums.txt')).toBeUndefined();
  });
});

it('reports size, rate and remaining time once a second', () => {
  const lines: string[] = [];
  let now = 0;
  const meter = createProgressMeter(
    'kubelet',
    (line) => lines.push(line),
    () => now,
  );
  for (; now <= 3000; now += 250) meter.update(now * 10_000, 100_000_000);
  expect(lines).toEqual([
    'kubelet: 0.0 of 100 MB',
    'kubelet: 10 of 100 MB, 10 MB/s, 9 s left',
    'kubelet: 20 of 100 MB, 10 MB/s, 8 s left',
    'kubelet: 30 of 100 MB, 10 MB/s, 7 s left',
  ]);
});

import { describe, expect, it } from 'vitest';
import { listedSum, parseSums, publishedSum } from '../../../src/resource/download/checksum-file.ts';
import { createMeter } from '../../../src/resource/download/progress-meter.ts';
import { sourcesOf, zoneOf } from '../../../src/resource/download/sources.ts';

const KUBELET = 'https://dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet';
const sum = (letter: string) => letter.repeat(64);

describe('sources', () => {
  it('are the mirror, those of the zone, and the publisher, in this order', () => {
    expect(sourcesOf(KUBELET, { mirror: 'http://10.0.0.1/m/', zone: 'cn' }).map(({ url }) => url)).toEqual([
      'http://10.0.0.1/m/dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet',
      'https://files.m.daocloud.io/dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet',
      'https://kubekey.pek3b.qingstor.com/dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet',
      KUBELET,
    ]);
    expect(sourcesOf(KUBELET, { mirror: '', zone: '' })).toEqual([
      { url: KUBELET, site: 'dl.k8s.io', publisher: true },
    ]);
  });

  it('for docker in China begin with its own mirror', () => {
    const docker = 'https://download.docker.com/linux/static/stable/x86_64/docker-28.5.2.tgz';
    expect(sourcesOf(docker, { mirror: '', zone: 'cn' })[0]?.url).toBe(
      'https://mirrors.aliyun.com/docker-ce/linux/static/stable/x86_64/docker-28.5.2.tgz',
    );
  });

  it('are those of the zone that the file or the environment names', () => {
    expect([zoneOf('cn', {}), zoneOf('', { KMZONE: 'cn' }), zoneOf('', {}), zoneOf('', { KMZONE: 'eu' })]).toEqual([
      'cn',
      'cn',
      '',
      '',
    ]);
  });
});

describe('sums', () => {
  it.each([
    ['bare', `${sum('a')}\n`, sum('a')],
    ['with a name', `${sum('b')}  other\n${sum('a')}  kubelet\n`, sum('a')],
    ['with a star', `${sum('a')} *kubelet`, sum('a')],
    ['with a path', `${sum('a')}  ./bin/kubelet`, sum('a')],
    ['as BSD writes them', `SHA256 (kubelet) = ${sum('a')}`, sum('a')],
    ['of other kinds', `${'a'.repeat(128)}  kubelet\nd41d8cd98f00b204e9800998ecf8427e  kubelet`, undefined],
    ['of other files', `${sum('a')}  kubeadm`, undefined],
    ['two bare ones', `${sum('a')}\n${sum('b')}`, undefined],
    ['a web page', '<html>not here</html>', undefined],
  ])('are read %s', (_, text, found) => expect(publishedSum(parseSums(text), KUBELET)).toBe(found));

  it('of the line that says most about the place', () => {
    const lines = parseSums(`${sum('a')}  kubelet\n${sum('b')}  amd64/kubelet\n${sum('c')}  arm64/kubelet`);
    expect(listedSum(lines, KUBELET, 'sums')).toBe(sum('b'));
    expect(listedSum(lines, KUBELET.replace('amd64', 's390x'), 'sums')).toBe(sum('a'));
    expect(listedSum(lines, KUBELET.replace('kubelet', 'mykubelet'), 'sums')).toBeUndefined();
  });
});

it('tells size, rate and time left, once a second', () => {
  const said: string[] = [];
  let now = 0;
  const meter = createMeter(
    'kubelet',
    (line) => said.push(line),
    () => now,
  );
  for (; now <= 3000; now += 250) meter.at(now * 10_000, 100_000_000);
  expect(said).toEqual([
    'kubelet: 0.0 of 100 MB',
    'kubelet: 10 of 100 MB, 10 MB/s, 9 s left',
    'kubelet: 20 of 100 MB, 10 MB/s, 8 s left',
    'kubelet: 30 of 100 MB, 10 MB/s, 7 s left',
  ]);
});

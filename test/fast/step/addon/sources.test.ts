import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageChart, readChart } from '../../../../src/resource/chart.ts';
import { hashFile } from '../../../../src/resource/cache/hash.ts';
import type { ImageItem } from '../../../../src/resource/item.ts';
import { chooseAddons } from '../../../../src/runtime/plan/choose-addons.ts';
import { pinnedImage } from '../../../../src/step/kubernetes-object/pinned-images.ts';
import { load } from '../network/support.ts';

describe('a chart folder', () => {
  let folder: string;
  const at = (...parts: readonly string[]) => join(folder, ...parts);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubexm-chart-'));
    await mkdir(at('mine', 'charts', 'inner'), { recursive: true });
    await mkdir(at('mine', 'templates'));
    await writeFile(at('mine', 'Chart.yaml'), 'apiVersion: v2\nname: mine\nversion: 1.2.3\n');
    await writeFile(at('mine', 'charts', 'inner', 'Chart.yaml'), 'apiVersion: v2\nname: inner\nversion: 9.9.9\n');
    await writeFile(at('mine', 'templates', 'a.yaml'), 'a: 1\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is packaged reproducibly, with its own name and version', async () => {
    const [one, two] = [
      await packageChart(at('mine'), 'x', at('1.tgz')),
      await packageChart(at('mine'), 'x', at('2.tgz')),
    ];
    expect(await hashFile(two)).toEqual(await hashFile(one));
    expect(await readChart(one)).toEqual({ name: 'mine', version: '1.2.3' });
    expect(await packageChart(one, 'x', at('3.tgz'))).toBe(one);
  });

  it('is rejected without Chart.yaml', async () => {
    await rm(at('mine', 'Chart.yaml'));
    const file = await packageChart(at('mine'), 'x', at('4.tgz'));
    await expect(readChart(file)).rejects.toMatchObject({ code: 'CHART_INVALID' });
    await expect(readChart(at('mine', 'templates', 'a.yaml'))).rejects.toMatchObject({ code: 'CHART_INVALID' });
  });
});

describe('the image of a container', () => {
  const image = (ref: string): ImageItem => ({
    type: 'image',
    name: ref,
    version: '1',
    arches: ['amd64'],
    ref,
    sha256: undefined,
    roles: [],
  });
  const images = [image('quay.io/calico/node:v3.32.2'), image('docker.io/library/busybox:1.37.0')];

  it.each([
    ['docker.io/calico/node:v3.28.2', 'quay.io/calico/node:v3.32.2'],
    ['calico/node', 'quay.io/calico/node:v3.32.2'],
    ['localhost:5000/calico/node@sha256:0123', 'quay.io/calico/node:v3.32.2'],
    ['busybox', 'docker.io/library/busybox:1.37.0'],
    ['quay.io/calico/cni:v3.32.2', 'quay.io/calico/cni:v3.32.2'],
    ['example.com:5000/node', 'example.com:5000/node'],
  ])('%s is %s', (ref, pinned) => expect(pinnedImage(images, ref)).toBe(pinned));
});

describe('chooseAddons', () => {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

  it('returns all addons of the cluster file once if no name is given', async () => {
    const cluster = await load('storage.localPath=true', 'addons=["local-path","metallb"]', 'storage.longhorn=true');
    const chosen = chooseAddons(cluster, []);
    expect(names(chosen.addons)).toEqual(['longhorn', 'local-path', 'metallb']);
    expect(chosen.cluster.storage).toMatchObject({ longhorn: false, localPath: false });
  });

  it('prefers the settings of the cluster file over the catalog', async () => {
    const cluster = await load('addons=[{"name":"metallb","wait":false}]');
    expect(chooseAddons(cluster, ['metallb', 'multus', 'metallb']).addons).toMatchObject([
      { name: 'metallb', wait: false },
      { name: 'multus', wait: true },
    ]);
  });

  it('rejects unknown names with a suggestion', async () => {
    const cluster = await load();
    expect(() => chooseAddons(cluster, ['metric-server'])).toThrow('metrics-server');
  });
});

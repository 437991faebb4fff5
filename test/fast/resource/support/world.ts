import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { home, kubexm, type Called } from '../../cli/kubexm.ts';
import { program } from './downloader.ts';
import { putImage, testRegistry, type TestRegistry } from './registry.ts';
import { fileServer, sumOf, type FileServer } from './server.ts';

/** All that a cluster needs, small, and a place for what kubexm makes of it. */
export interface World {
  readonly folder: string;
  readonly files: FileServer;
  readonly registry: TestRegistry;
  /** The cluster file. */
  readonly file: string;
  /** Calls kubexm with a home in the folder of the world. */
  readonly call: (...args: readonly string[]) => Promise<Called>;
}

/** A cluster of this version whose files and images are served on this machine, and pinned, so that nobody outside is asked. */
export async function smallWorld(version = 'v1.35.8'): Promise<World> {
  const [folder, files, registry] = [home(), await fileServer(), await testRegistry()];
  const [file, sums] = [join(folder, 'cluster.yaml'), join(folder, 'sums.txt')];
  const call = (...args: readonly string[]) =>
    kubexm([...args, '--workdir', folder], { KUBEXM_HOME: join(folder, 'home') });
  writeFileSync(sums, '');
  const artifacts = `mirror: '${files.url}', checksums: '${sums}', imageMirror: '${registry.host}'`;
  const text = readFileSync('examples/external-etcd.yaml', 'utf8').replace('v1.35.8', version);
  const rest = `  network: { plugin: none }\n  registry: { auths: { '${registry.host}': { plainHTTP: true } } }\n`;
  writeFileSync(file, `${text}${rest}  artifacts: { ${artifacts} }\n`);
  const listed = JSON.parse((await call('get', 'artifacts', '-o', 'json', '-f', file)).stdout);
  const lines = listed.files.map(({ url }: { url: string }) => {
    const content = url.endsWith('gz') ? gzipSync(url) : Buffer.concat([program(100_000), Buffer.from(url)]);
    files.put(url.replace('https:/', ''), content);
    return `${sumOf(content)}  ${url.replace('https://', '')}`;
  });
  const pins = listed.images.map(({ name, ref }: { name: string; ref: string }) => {
    const [, repository = '', tag = ''] = /^(.*):([^:]+)$/.exec(ref) ?? [];
    const digest = putImage(registry, repository, tag, ['amd64', 'arm64'], ref);
    return `${name}: { sha256: '${digest.slice('sha256:'.length)}' }`;
  });
  writeFileSync(sums, `${lines.join('\n')}\n`);
  writeFileSync(file, `${text}${rest}  artifacts: { ${artifacts}, overrides: { ${pins.join(', ')} } }\n`);
  return { folder, files, registry, file, call };
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { home, kubexm, type Called } from '../../cli/kubexm.ts';
import { program } from './downloader.ts';
import { putImage, testRegistry, type TestRegistry } from './registry.ts';
import { fileServer, sha256Of, type FileServer } from './server.ts';

/** A cluster whose files and images are served on this machine, with a folder for the output of kubexm. */
export interface ServedCluster {
  readonly folder: string;
  readonly files: FileServer;
  readonly registry: TestRegistry;
  /** The cluster file. */
  readonly file: string;
  /** Runs kubexm with its home in the folder. */
  readonly call: (...args: readonly string[]) => Promise<Called>;
}

/** Serves small files and images for a cluster. They are pinned, so that no other server is contacted. */
export async function serveCluster(version = 'v1.35.8'): Promise<ServedCluster> {
  const [folder, files, registry] = [home(), await fileServer(), await testRegistry()];
  const [file, checksums] = [join(folder, 'cluster.yaml'), join(folder, 'checksums.txt')];
  const call = (...args: readonly string[]) =>
    kubexm([...args, '--workdir', folder], { KUBEXM_HOME: join(folder, 'home') });
  writeFileSync(checksums, '');
  const artifacts = `mirror: '${files.url}', checksums: '${checksums}', imageMirror: '${registry.host}'`;
  const text = readFileSync('examples/external-etcd.yaml', 'utf8').replace('v1.35.8', version);
  const rest = `  network: { plugin: none }\n  registry: { auths: { '${registry.host}': { plainHTTP: true } } }\n`;
  writeFileSync(file, `${text}${rest}  artifacts: { ${artifacts} }\n`);
  const listed = JSON.parse((await call('get', 'artifacts', '-o', 'json', '-f', file)).stdout);
  const lines = listed.files.map(({ url }: { url: string }) => {
    const content = url.endsWith('gz') ? gzipSync(url) : Buffer.concat([program(100_000), Buffer.from(url)]);
    files.put(url.replace('https:/', ''), content);
    return `${sha256Of(content)}  ${url.replace('https://', '')}`;
  });
  const pins = listed.images.map(({ name, ref }: { name: string; ref: string }) => {
    const [, repository = '', tag = ''] = /^(.*):([^:]+)$/.exec(ref) ?? [];
    const digest = putImage(registry, repository, tag, ['amd64', 'arm64'], ref);
    return `${name}: { sha256: '${digest.slice('sha256:'.length)}' }`;
  });
  writeFileSync(checksums, `${lines.join('\n')}\n`);
  writeFileSync(file, `${text}${rest}  artifacts: { ${artifacts}, overrides: { ${pins.join(', ')} } }\n`);
  return { folder, files, registry, file, call };
}

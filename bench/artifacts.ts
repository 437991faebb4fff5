import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDownloader } from '../src/resource/download/downloader.ts';
import { downloadFile } from '../src/resource/download/download-file.ts';
import { pullImage } from '../src/resource/oci/pull.ts';
import { openRegistries } from '../src/resource/oci/registry.ts';
import { knownHosts } from '../src/connector/known-hosts.ts';
import { fileSource } from '../src/connector/upload-source.ts';
import { sshConnector } from '../src/connector/ssh.ts';
import { labDown } from '../src/lab/down.ts';
import type { Machine } from '../src/lab/machine/machine.ts';
import { run } from '../src/lab/run.ts';
import { labUp, type Lab } from '../src/lab/up.ts';
import { medianDuration } from './measure.ts';
import { writeResults } from './results.ts';

/** Downloads, pulls and uploads of kubexm compared with curl, skopeo and scp: medians of three runs. */
const NAME = 'benchart';
const SIZE = 500 * 1000 * 1000;
const LAYERS = 4;
const NO_MIRRORS = { mirror: '', zone: '', imageMirror: '', checksums: undefined, trustMirror: false } as const;
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
const ctx = { signal: new AbortController().signal, say() {} };
const rows: string[] = [];
try {
  const content = randomBytes(SIZE);
  // An ELF header, because kubexm checks it.
  Buffer.from('\x7fELF\x02\x01\x01', 'latin1').copy(content);
  content.writeUInt16LE(62, 18);
  await writeFile(join(folder, 'big'), content);
  const image = await writeImage(content);
  const server = await serve();
  await downloads(server.url, createHash('sha256').update(content).digest('hex'));
  await images(server.url, image);
  server.stop();
  await uploads(await labUp({ name: NAME, machines: 5 }));
  writeResults('artifacts', ['| kubexm | s | other tool | s |', '| --- | --- | --- | --- |', ...rows]);
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

async function compare(
  what: string,
  kubexm: () => Promise<unknown>,
  otherTool: string,
  other: () => Promise<unknown>,
): Promise<void> {
  const seconds = async (action: () => Promise<unknown>) => ((await medianDuration(3, action)) / 1000).toFixed(2);
  rows.push(`| ${what} | ${await seconds(kubexm)} | ${otherTool} | ${await seconds(other)} |`);
}

/** Serves from a separate process, so that it does not compete with the download. */
async function serve() {
  const program = `const { createServer } = require('node:http'); const { createReadStream, statSync } = require('node:fs');
const server = createServer(({ url, method }, response) => {
  const path = ${JSON.stringify(folder)} + url.replace(/^\\/v2\\/?$/, '/empty');
  try {
    const { size } = statSync(path);
    response.writeHead(200, { 'content-length': size, 'content-type': url.includes('/manifests/') ? 'application/vnd.oci.image.manifest.v1+json' : 'application/octet-stream' });
    if (method === 'HEAD') response.end(); else createReadStream(path, { highWaterMark: 1 << 20 }).pipe(response);
  } catch { response.writeHead(404).end(); }
}).listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { url: `127.0.0.1:${String(port).trim()}`, stop: () => child.kill() };
}

/** Writes an image with several layers at the paths of the registry API. */
async function writeImage(content: Buffer): Promise<string> {
  const put = async (part: Buffer, mediaType: string) => {
    const digest = `sha256:${createHash('sha256').update(part).digest('hex')}`;
    await run(['mkdir', '-p', join(folder, 'v2/x/blobs'), join(folder, 'v2/x/manifests')]);
    await writeFile(join(folder, 'v2/x/blobs', digest), part);
    return { mediaType, digest, size: part.length };
  };
  const layers = [];
  const share = SIZE / LAYERS;
  for (let at = 0; at < LAYERS; at++)
    layers.push(await put(content.subarray(at * share, (at + 1) * share), 'application/vnd.oci.image.layer.v1.tar'));
  const diffs = layers.map(({ digest }) => digest);
  const config = { architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: diffs } };
  const configDescriptor = await put(Buffer.from(JSON.stringify(config)), 'application/vnd.oci.image.config.v1+json');
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config: configDescriptor, layers }));
  const digest = createHash('sha256').update(manifest).digest('hex');
  for (const name of ['1', `sha256:${digest}`]) await writeFile(join(folder, 'v2/x/manifests', name), manifest);
  await writeFile(join(folder, 'empty'), '{}');
  return digest;
}

async function downloads(host: string, sha256: string): Promise<void> {
  const url = `http://${host}/big`;
  const item = {
    type: 'file',
    name: 'big',
    version: '1',
    arch: 'amd64',
    url,
    checksumUrl: undefined,
    sha256,
    format: 'elf',
    roles: ['worker'],
    path: 'big',
  } as const;
  const download = async () => {
    const cacheFolder = join(folder, 'cache');
    await rm(cacheFolder, { recursive: true, force: true });
    await using downloader = await openDownloader(NO_MIRRORS, { cacheFolder });
    await downloadFile(downloader, item, ctx);
  };
  const curl = () => run(['sh', '-c', `curl -sf -o '${folder}/curl' ${url} && sha256sum '${folder}/curl'`]);
  await compare(`download of ${SIZE / 1e6} MB, hashed and synced`, download, '`curl`, then `sha256sum`', curl);
}

async function images(host: string, sha256: string): Promise<void> {
  const image = {
    type: 'image',
    name: 'x',
    version: '1',
    arches: ['amd64'],
    ref: `${host}/x:1`,
    sha256,
    roles: [],
  } as const;
  const pull = async () => {
    const cacheFolder = join(folder, 'images');
    await rm(cacheFolder, { recursive: true, force: true });
    await using downloader = await openDownloader(NO_MIRRORS, { cacheFolder });
    await using registries = openRegistries({ [host]: { plainHTTP: true } });
    await pullImage({ downloader, registries }, image, ctx);
  };
  const skopeo = () =>
    run([
      'sh',
      '-c',
      `rm -rf '${folder}/skopeo' && skopeo copy -q --insecure-policy --src-tls-verify=false docker://${host}/x:1 'oci:${folder}/skopeo:1'`,
    ]);
  await compare(`image of ${LAYERS} layers, ${SIZE / 1e6} MB`, pull, '`skopeo copy` to an OCI layout', skopeo);
}

async function uploads(lab: Lab): Promise<void> {
  const source = await fileSource(join(folder, 'big'));
  const hosts = lab.machines.map((machine) => connectorOf(lab, machine));
  const upload = (count: number) => () =>
    Promise.all(
      hosts.slice(0, count).map(async (host) => {
        await host.exec('rm -f /root/upload');
        await host.upload(source, { path: '/root/upload', mode: 0o644, owner: 'root:root' });
      }),
    );
  const scp = (count: number) => () =>
    Promise.all(
      lab.machines
        .slice(0, count)
        .map(({ name }) => run(['scp', '-q', '-F', lab.paths.sshConfig, join(folder, 'big'), `${name}:/root/scp`])),
    );
  for (const count of [1, 5])
    await compare(
      `upload of ${SIZE / 1e6} MB to ${count} machine${count === 1 ? '' : 's'}, hashed and synced`,
      upload(count),
      count === 1 ? '`scp`' : `${count} × \`scp\` in parallel`,
      scp(count),
    );
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()));
}

function connectorOf(lab: Lab, { name, address, port }: Machine) {
  const privateKeyPath = join(lab.paths.folder, 'id_ed25519');
  const target = { name, address, port, user: 'root', privateKeyPath, timeoutMs: 60_000 };
  return sshConnector(target, knownHosts(join(folder, 'known_hosts')));
}

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
import { writeResults } from './results.ts';

/** What getting artifacts costs, beside the programs that do nothing else: medians of three turns. */
const NAME = 'benchart';
const SIZE = 500 * 1000 * 1000;
const LAYERS = 4;
const NOWHERE = { mirror: '', zone: '', imageMirror: '', checksums: undefined } as const;
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
const watch = { signal: new AbortController().signal, say() {} };
const rows: string[] = [];
try {
  const content = randomBytes(SIZE);
  // So much of a program as is looked at.
  Buffer.from('\x7fELF\x02\x01\x01', 'latin1').copy(content);
  content.writeUInt16LE(62, 18);
  await writeFile(join(folder, 'big'), content);
  const image = await writeImage(content);
  const server = await serve();
  await downloads(server.url, createHash('sha256').update(content).digest('hex'));
  await images(server.url, image);
  server.stop();
  await uploads(await labUp({ name: NAME, machines: 5 }));
  writeResults('artifacts', ['| what | s | bare | s |', '| --- | --- | --- | --- |', ...rows]);
} finally {
  await labDown(NAME);
  await rm(folder, { recursive: true, force: true });
}

function tell(what: string, seconds: number, bare: string, bareSeconds: number): void {
  rows.push(`| ${what} | ${seconds.toFixed(2)} | ${bare} | ${bareSeconds.toFixed(2)} |`);
}

async function median(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const start = performance.now();
    await act();
    times.push((performance.now() - start) / 1000);
  }
  return times.toSorted((a, b) => a - b)[1] ?? 0;
}

/** In a process of its own: whoever downloads does not share it. */
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

/** An image of some layers in the paths of a registry. */
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
  const about = await put(Buffer.from(JSON.stringify(config)), 'application/vnd.oci.image.config.v1+json');
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config: about, layers }));
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
  const ours = async () => {
    const cacheFolder = join(folder, 'cache');
    await rm(cacheFolder, { recursive: true, force: true });
    await using downloader = await openDownloader(NOWHERE, { cacheFolder });
    await downloadFile(downloader, item, watch);
  };
  const curl = () => run(['sh', '-c', `curl -sf -o '${folder}/curl' ${url} && sha256sum '${folder}/curl'`]);
  tell(
    `download of ${SIZE / 1e6} MB, summed and synced`,
    await median(ours),
    '`curl`, then `sha256sum`',
    await median(curl),
  );
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
  const ours = async () => {
    const cacheFolder = join(folder, 'images');
    await rm(cacheFolder, { recursive: true, force: true });
    await using downloader = await openDownloader(NOWHERE, { cacheFolder });
    await using registries = openRegistries({ [host]: { plainHTTP: true } });
    await pullImage({ downloader, registries }, image, watch);
  };
  const skopeo = () =>
    run([
      'sh',
      '-c',
      `rm -rf '${folder}/skopeo' && skopeo copy -q --insecure-policy --src-tls-verify=false docker://${host}/x:1 'oci:${folder}/skopeo:1'`,
    ]);
  tell(
    `image of ${LAYERS} layers, ${SIZE / 1e6} MB`,
    await median(ours),
    '`skopeo copy` to a layout',
    await median(skopeo),
  );
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
    tell(
      `upload of ${SIZE / 1e6} MB to ${count} machine${count === 1 ? '' : 's'}, summed and synced`,
      await median(upload(count)),
      count === 1 ? '`scp`' : `${count} × \`scp\` at once`,
      await median(scp(count)),
    );
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()));
}

function connectorOf(lab: Lab, { name, address, port }: Machine) {
  const privateKeyPath = join(lab.paths.folder, 'id_ed25519');
  const target = { name, address, port, user: 'root', privateKeyPath, timeoutMs: 60_000 };
  return sshConnector(target, knownHosts(join(folder, 'known_hosts')));
}

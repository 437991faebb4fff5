// Creates a cluster on three machines of this computer, shows its nodes, and removes everything again.
// Kubernetes is downloaded if its publishers are reachable; otherwise it is built once into a local mirror.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { upstreamIsReachable } from './upstream.mjs';

const KUBEXM = resolve(import.meta.dirname, '../bin/kubexm');
const HOME = process.env.KUBEXM_HOME || join(homedir(), '.kubexm');
const MIRROR = process.env.KUBEXM_LAB_MIRROR || join(HOME, 'mirror');
const LAB = process.env.KUBEXM_DEMO_LAB || 'demo';
const FILE = join(HOME, 'labs', LAB, 'cluster.yaml');
const VERSION = '1.36.3';
const COMPONENTS = 'kubernetes,containerd,runc,cni-plugins,crictl,etcd,coredns,pause,flannel';
const MIRROR_BUILD = ['lab', 'mirror', 'build', '--versions', VERSION, '--components', COMPONENTS, '--dir', MIRROR];
const LAB_UP = ['lab', 'up', '--name', LAB, '--machines', '3'];
const SOURCES = {
  mirror: `All files and images come from the mirror in ${MIRROR}.`,
  upstream: 'Files and images are downloaded from their publishers.',
  build: process.env.KUBEXM_LAB_SEED
    ? `A mirror of all files and images is built in ${MIRROR}, from ${process.env.KUBEXM_LAB_SEED} where possible.`
    : `Their publishers are not reachable, so all files and images are built from source into ${MIRROR}.`,
};
/** Seconds: a demo whose mirror and machine image exist, and the machine image alone. */
const TYPICAL = { demo: 120, image: 90 };

if (process.getuid() !== 0) {
  console.error('Lab machines need root. Run make demo as root.');
  process.exit(1);
}
const children = new Set();
let interrupted = false;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop(name));

const start = Date.now();
try {
  await demo();
  console.log(`\nDone in ${Math.round((Date.now() - start) / 1000)} s.`);
} catch (error) {
  if (!interrupted) console.error(`\n${error.message}`);
  process.exitCode = interrupted ? 130 : 1;
} finally {
  for (const child of children) child.kill('SIGTERM');
  await spawnKubexm(['lab', 'down', '--name', LAB], { stdio: 'ignore', detached: true }).ended;
}

async function demo() {
  const plan = await choosePlan();
  console.log(announcement(plan));
  await (plan.type === 'build' ? sideBySide(MIRROR_BUILD, LAB_UP) : run(LAB_UP));
  const settings = plan.type === 'upstream' ? upstreamSettings() : mirrorSettings(await serveMirror());
  await run(['validate', 'cluster', '-f', FILE]);
  await run(['run', 'command', '-f', FILE, '--', 'systemctl', 'is-system-running']);
  const file = ['-f', FILE, '--workdir', dirname(FILE), ...settings.flatMap((setting) => ['-e', setting])];
  await run(['create', 'cluster', ...file], ['create', 'cluster', '-f', FILE]);
  const kubectl = ['kubectl', 'get', 'nodes', '-o', 'wide'];
  const asAdmin = ['env', 'KUBECONFIG=/etc/kubernetes/admin.conf', ...kubectl];
  await run(['lab', 'ssh', 'node1', '--name', LAB, '--', ...asAdmin], ['lab', 'ssh', 'node1', '--', ...kubectl]);
  await run(['delete', 'cluster', '--yes', ...file], ['delete', 'cluster', '-f', FILE, '--yes']);
}

/** Prefers the fastest source: an existing mirror, prebuilt components, downloads, a build from source. */
async function choosePlan() {
  const [mirror, lab] = await Promise.all([output([...MIRROR_BUILD, '--dry-run']), output([...LAB_UP, '--dry-run'])]);
  const image = lab.stdout.includes('build the machine image') ? TYPICAL.image : 0;
  if (mirror.stdout.startsWith('Nothing to do')) return { type: 'mirror', seconds: image + TYPICAL.demo };
  if (!process.env.KUBEXM_LAB_SEED && (await upstreamIsReachable()))
    return { type: 'upstream', seconds: image + TYPICAL.demo + 60 };
  const minutes = Number(/about (\d+) min/.exec(mirror.stderr)?.[1] ?? 1);
  return { type: 'build', seconds: Math.max(60 * minutes, image) + TYPICAL.demo };
}

function announcement({ type, seconds }) {
  const later = seconds > TYPICAL.demo ? ' Later runs take about 2 minutes.' : '';
  return `This demo creates a Kubernetes ${VERSION} cluster on three machines of this computer and removes it again.
${SOURCES[type]}
It takes about ${Math.ceil(seconds / 60)} minutes.${later}`;
}

function upstreamSettings() {
  return [`kubernetes.version=${VERSION}`];
}

// The mirror has some components in versions other than the default.
function mirrorSettings(host) {
  return [
    `kubernetes.version=${VERSION}`,
    'kubernetes.containerRuntime.version=2.2.9',
    `artifacts.checksums=${join(MIRROR, 'SHA256SUMS')}`,
    `artifacts.mirror=http://${host}`,
    `artifacts.imageMirror=${host}`,
    `registry.auths={'${host}': {plainHTTP: true}}`,
    'artifacts.overrides={runc: {version: 1.1.5}, cni-plugins: {version: 1.9.1}, coredns: {version: 1.14.2}, etcd: {version: 3.6.16}, flannel: {version: 0.26.7}, flannel-cni-plugin: {version: 1.6.2-flannel1}}',
  ];
}

/** Serves the mirror until the end of the demo, and resolves with its host and port. */
async function serveMirror() {
  const listen = `127.0.0.1:${process.env.KUBEXM_DEMO_PORT || 0}`;
  const args = ['lab', 'mirror', 'serve', '--dir', MIRROR, '--listen', listen];
  const { child, ended } = spawnKubexm(args, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    const [, host] = /^Serving .* at http:\/\/([\d.:]+)/.exec(line) ?? [];
    if (host) {
      child.stderr.resume();
      return host;
    }
  }
  throw new Error(`kubexm lab mirror serve exited with ${await ended}`);
}

/** Runs kubexm in the terminal of the demo. `shown` is the command as a user would type it. */
async function run(args, shown = args) {
  show(shown);
  failUnlessZero(shown, await spawnKubexm(args, { stdio: 'inherit' }).ended);
}

/** Runs two commands at once, and stops both when one fails. The output of the second one follows that of the first. */
async function sideBySide(first, second) {
  show(first);
  const foreground = spawnKubexm(first, { stdio: 'inherit' });
  const background = spawnKubexm(second, { stdio: ['ignore', 'pipe', 'pipe'] });
  const held = [];
  let write = (chunk) => held.push(chunk);
  for (const stream of [background.child.stdout, background.child.stderr]) stream.on('data', (chunk) => write(chunk));
  const exits = await Promise.all([
    foreground.ended.then((exit) => {
      show(second);
      for (const chunk of held) process.stdout.write(chunk);
      write = (chunk) => process.stdout.write(chunk);
      if (exit !== 0) background.child.kill('SIGTERM');
      return exit;
    }),
    background.ended.then((exit) => {
      if (exit !== 0) foreground.child.kill('SIGTERM');
      return exit;
    }),
  ]);
  for (const [index, args] of [first, second].entries()) failUnlessZero(args, exits[index]);
}

function failUnlessZero(args, exit, details = '') {
  if (exit !== 0) throw new Error(`kubexm ${args.join(' ')} exited with ${exit}\n${details}`.trimEnd());
}

async function output(args) {
  const { child, ended } = spawnKubexm(args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text));
  failUnlessZero(args, await ended, texts.stderr);
  return texts;
}

function show(args) {
  console.log(process.stdout.isTTY ? `\n\x1b[1m$ kubexm ${args.join(' ')}\x1b[0m` : `\n$ kubexm ${args.join(' ')}`);
}

function spawnKubexm(args, options) {
  const child = spawn(KUBEXM, args, options);
  // Clean-up runs in its own process group, so that Ctrl-C does not stop it.
  if (!options.detached) children.add(child);
  const ended = once(child, 'close').then(([code]) => {
    children.delete(child);
    if (interrupted && !options.detached) throw new Error('interrupted');
    return code ?? 1;
  });
  // The demo does not wait for the server of the mirror.
  ended.catch(() => {});
  return { child, ended };
}

/** Stops the running commands. A terminal sends Ctrl-C to them itself. */
function stop(signal) {
  interrupted = true;
  if (signal === 'SIGINT' && process.stdin.isTTY) return;
  for (const child of children) child.kill(signal);
}

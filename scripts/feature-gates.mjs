// Prints the table of Kubernetes feature gates: in which minor releases the components know each one.
//   node scripts/feature-gates.mjs > src/config/data/feature-gates.json
// Needs `go` for its module client. To follow a new release, change `releases` and run again.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const releases = (
  '1.22.17 1.23.17 1.24.17 1.25.16 1.26.15 1.27.16 1.28.15 1.29.15 1.30.14 1.31.14 1.32.13 1.33.13 ' +
  '1.34.10 1.35.8 1.36.4 1.37.1'
).split(' ');

// The packages that define the gates of kube-apiserver, kube-controller-manager, kube-scheduler, kubelet and kube-proxy:
// module, directory, and the first and last minor (1.x) to read, unless all.
const sources = [
  ['k8s.io/kubernetes', 'pkg/features'],
  ['k8s.io/apiserver', 'pkg/features'],
  ['k8s.io/apiextensions-apiserver', 'pkg/features'],
  // Until 1.26, only kube-controller-manager registers these; in 1.27, k8s.io/kubernetes lists all of them.
  ['k8s.io/controller-manager', 'pkg/features', 28],
  ['k8s.io/client-go', 'features', 30],
  ['k8s.io/component-base', 'featuregate'], // AllAlpha and AllBeta
  ['k8s.io/component-base', 'logs', 24, 24],
  ['k8s.io/component-base', 'logs/api/v1', 25],
  ['k8s.io/component-base', 'metrics/features', 26],
  ['k8s.io/component-base', 'zpages/features', 32],
];

const minorOf = (release) => release.split('.').slice(0, 2).join('.');

function download(module, release, cache) {
  const version = module === 'k8s.io/kubernetes' ? `v${release}` : release.replace(/^1/, 'v0');
  const out = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: cache,
    env: { ...process.env, GOMODCACHE: cache, GOFLAGS: '-mod=mod -modcacherw', GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
  });
  return JSON.parse(out).Dir;
}

/** The Go files of a folder, without tests and without comments. */
function goText(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}

/** The Go constants that declare gates, in any of the three notations in use, with the names of the gates. */
function constants(text) {
  const declared = /^\s*(\w+)(?:\s+(?:featuregate\.)?Feature)?\s*=\s*(?:featuregate\.Feature\()?"(\w+)"/gm;
  return [...text.matchAll(declared)].map(([, name, gate]) => [name, gate]);
}

/** The keys of all map literals from gate to spec: the registered gates. */
function registered(text) {
  const keys = [];
  // No space before the brace: with one it is a function's result type.
  const literal = /map\[(?:featuregate\.)?Feature\](?:featuregate\.)?(?:FeatureSpec|VersionedSpecs)\{/g;
  for (const match of text.matchAll(literal)) {
    let depth = 1;
    let top = ''; // The text of the literal without nested braces.
    for (let i = match.index + match[0].length; depth > 0; i++) {
      if (i === text.length) throw new Error(`unclosed map: ${match[0]}`);
      if (text[i] === '}') depth--;
      if (depth === 1) top += text[i];
      if (text[i] === '{') depth++;
    }
    for (const entry of top.split(/[{,\s]*\}\s*,?|,/)) {
      if (entry.trim() === '') continue;
      const key = /^\s*(?:\w+\.)?(\w+)\s*:/.exec(entry);
      if (!key) throw new Error(`cannot read the map entry: ${entry.trim()}`);
      keys.push(key[1]);
    }
  }
  return keys;
}

function gatesOf(release) {
  const minor = Number(release.split('.')[1]);
  const cache = mkdtempSync(join(tmpdir(), 'feature-gates-'));
  try {
    const texts = [];
    for (const [module, folder, first = 0, last = Infinity] of sources) {
      if (minor < first || minor > last) continue;
      const text = goText(join(download(module, release, cache), folder));
      if (!/\bFeature\b/.test(text)) throw new Error(`no gates in ${module} ${folder} of ${release}`);
      texts.push(text);
    }
    const gateNamed = new Map();
    for (const [name, gate] of texts.flatMap(constants)) {
      if ((gateNamed.get(name) ?? gate) !== gate) throw new Error(`${release}: ${name} has two meanings`);
      gateNamed.set(name, gate);
    }
    return new Set(
      texts.flatMap(registered).map((name) => {
        if (!gateNamed.has(name)) throw new Error(`${release}: ${name} is registered but not declared`);
        return gateNamed.get(name);
      }),
    );
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

const seen = new Map();
for (const release of releases) {
  const gates = gatesOf(release);
  for (const gate of gates) seen.set(gate, [...(seen.get(gate) ?? []), minorOf(release)]);
  process.stderr.write(`${release}: ${gates.size} gates\n`);
}
const minors = releases.map(minorOf);
const lines = [...seen.keys()]
  .sort((a, b) => (a < b ? -1 : 1))
  .map((gate) => {
    const at = seen.get(gate);
    const [first, last] = [at[0], at.at(-1)];
    const span = minors.indexOf(last) - minors.indexOf(first) + 1;
    if (at.length < span)
      process.stderr.write(`${gate}: not in every minor from ${first} to ${last}, only ${at.join(' ')}\n`);
    return `    ${JSON.stringify(gate)}: ${JSON.stringify([first, last])}`;
  });
const source = `Made by scripts/feature-gates.mjs from the feature gate maps in the Go sources of Kubernetes ${releases.join(', ')}.`;
process.stdout.write(`{
  "source": ${JSON.stringify(source)},
  "minors": ${JSON.stringify(minors)},
  "gates": {
${lines.join(',\n')}
  }
}
`);

// Adds the packages for other platforms that the registry did not list to package-lock.json, because `npm ci` rejects a
// lock file without them, and the checksums that are missing if the registry knows them. Run it after every change of
// dependencies: node scripts/complete-lock.mjs
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));
const added = [];

for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  if (owner === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`;
    if (key in lock.packages || `${owner}/${key}` in lock.packages || !/^\d/.test(version)) continue;
    lock.packages[key] = { version, ...platformOf(name), ...(dev && { dev }), optional: true };
    added.push(`${name}@${version}`);
  }
}
const unverified = [];
for (const [key, entry] of Object.entries(lock.packages)) {
  if (key === '' || entry.integrity) continue;
  const name = `${key.split('node_modules/').at(-1)}@${entry.version}`;
  const { stdout } = spawnSync('npm', ['view', '--silent', name, 'dist.integrity'], { encoding: 'utf8' });
  if (stdout.startsWith('sha512-')) entry.integrity = stdout.trim();
  else unverified.push(name);
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length > 0 ? `added ${added.join(', ')}` : 'package-lock.json lists every package');
if (unverified.length > 0) console.log(`The registry has no checksum of ${unverified.join(', ')}`);

/** The platform in a name such as "…-linux-arm64-musl", so that npm installs the package only there. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const cpu = words.find((word) => /^(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|wasm32)$/.test(word));
  const os = words.find((word) =>
    /^(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|aix)$/.test(word),
  );
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }) };
}

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { mergeKubeconfig, unmergeKubeconfig, userKubeconfig } from '../../../src/state/kubeconfig.ts';
import { home, kubexm } from '../cli/kubexm.ts';

let workdir = '';
let path = '';
const prod = () => ({ workdir, name: 'prod' });
const OTHERS = `# Of all my clusters.
apiVersion: v1
kind: Config
current-context: mine
clusters:
  - name: mine
    cluster: { server: https://mine:6443 } # at home
contexts:
  - name: mine
    context: { cluster: mine, user: me }
users:
  - name: me
    user: { token: mine }
`;

const own = (server: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'prod',
  clusters: [{ name: 'prod', cluster: { server, 'certificate-authority-data': 'Q0E=' } }],
  contexts: [{ name: 'prod', context: { cluster: 'prod', user: 'prod-admin' } }],
  users: [{ name: 'prod-admin', user: { 'client-certificate-data': 'Q0VSVA==' } }],
});

function writeOwn(server = 'https://10.0.0.1:6443'): void {
  const folder = join(workdir, '.kubexm', 'prod');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'kubeconfig'), stringify(own(server)));
}

beforeEach(() => {
  workdir = home();
  path = join(workdir, 'kube', 'config');
  writeOwn();
});

const withOthers = (text = OTHERS) => {
  mkdirSync(join(path, '..'));
  writeFileSync(path, text, { mode: 0o600 });
};

it('creates a missing file, readable by its owner only', async () => {
  expect(await mergeKubeconfig(prod(), path)).toBe(true);
  const { clusters, users, 'current-context': current } = parse(readFileSync(path, 'utf8'));
  expect({ clusters, users, current }).toEqual({
    clusters: own('https://10.0.0.1:6443').clusters,
    users: own('').users,
    current: 'prod',
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('preserves other entries, and later removes only its own', async () => {
  withOthers();
  await mergeKubeconfig(prod(), path);
  const merged = readFileSync(path, 'utf8');
  expect(merged).toContain('# Of all my clusters.');
  expect(merged).toContain('# at home');
  expect(parse(merged).contexts.map(({ name }: { name: string }) => name)).toEqual(['mine', 'prod']);
  expect(await unmergeKubeconfig(prod(), path)).toBe(true);
  expect(parse(readFileSync(path, 'utf8'))).toEqual({ ...parse(OTHERS), 'current-context': '' });
});

it('changes nothing the second time, and follows a recreated cluster', async () => {
  await mergeKubeconfig(prod(), path);
  expect(await mergeKubeconfig(prod(), path)).toBe(false);
  writeOwn('https://10.0.0.7:6443');
  expect(await mergeKubeconfig(prod(), path)).toBe(true);
  expect(parse(readFileSync(path, 'utf8')).clusters).toEqual(own('https://10.0.0.7:6443').clusters);
});

it.each(['contexts', 'clusters', 'users'] as const)('does not touch other %s with the same name', async (list) => {
  const name = list === 'users' ? 'prod-admin' : 'prod';
  const key = list.slice(0, -1);
  const text = stringify({ ...parse(OTHERS), [list]: [{ name, [key]: { theirs: true } }] });
  withOthers(text);
  await expect(mergeKubeconfig(prod(), path)).rejects.toMatchObject({ code: 'KUBECONFIG_TAKEN' });
  expect(await unmergeKubeconfig(prod(), path)).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it.each(['- a', '{', 'just words'])('rejects a file that contains %s', async (text) => {
  withOthers(text);
  await expect(mergeKubeconfig(prod(), path)).rejects.toMatchObject({ code: 'KUBECONFIG_INVALID' });
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('reports a missing cluster kubeconfig', async () => {
  await expect(mergeKubeconfig({ workdir, name: 'other' }, path)).rejects.toMatchObject({ code: 'KUBECONFIG_MISSING' });
  expect(existsSync(path)).toBe(false);
});

it('finds the user kubeconfig like kubectl', () => {
  expect(userKubeconfig({ KUBECONFIG: ':/a:/b' })).toBe('/a');
  expect(userKubeconfig({})).toMatch(/\/\.kube\/config$/);
});

it('can be merged with a command', async () => {
  const file = join(workdir, 'cluster.yaml');
  writeFileSync(file, 'metadata: { name: prod }\n');
  const { exit, stderr } = await kubexm(['config', 'merge-kubeconfig', '-f', file, '--workdir', workdir], {
    KUBECONFIG: path,
  });
  expect(exit, stderr).toBe(0);
  expect(stderr).toContain(`Added context prod to ${path}`);
});

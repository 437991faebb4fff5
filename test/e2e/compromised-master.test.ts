import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateX25519Identity } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { onMachine } from '../../src/lab/machine/machine.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { ensurePki, readPair } from '../../src/pki/store.ts';
import { home, kubexm } from '../fast/cli/kubexm.ts';
import { clusterMirror, mirroredClusterFile, needsClusterMirror } from '../lab/support/cluster-mirror.ts';
import { kubectlOn } from '../lab/support/verify-cluster.ts';
import { labNames, sshText } from '../lab/support.ts';

const named = await labNames();
const name = named('attack');
const VERSION = '1.36.3';
const CANARY = 'canary-4711-0815';
const ADMIN_CONF = '/etc/kubernetes/admin.conf';
interface AdminConf {
  readonly users: readonly { readonly user: Record<string, unknown> }[];
  readonly clusters: readonly { readonly cluster: Record<string, unknown> }[];
}
const STATE_PATH = "'jsonpath={.data.state\\.json}'";

describe('a cluster with a compromised master', await needsClusterMirror(VERSION), () => {
  let lab: Lab;
  let mirror: MirrorServer;
  let file: string;
  const kubectl = kubectlOn(() => lab);
  const env = () => ({ KUBEXM_HOME: process.env['KUBEXM_HOME']!, KUBECONFIG: userConfig() });
  const args = (...words: readonly string[]) => [...words, '-f', file, '--workdir', lab.paths.folder];
  const call = (...words: readonly string[]) => kubexm(args(...words), env());
  const userConfig = () => join(lab.paths.folder, 'user-kubeconfig');
  const inFolder = (...path: readonly string[]) => join(lab.paths.folder, '.kubexm', name, ...path);
  const writeOnMaster = (path: string, stdin: string) => onMachine(lab.machines[0]!, ['tee', path], { stdin });

  beforeAll(async () => {
    lab = await labUp({ name, machines: 1 });
    mirror = await clusterMirror(lab, VERSION);
    file = await mirroredClusterFile(lab, mirror, {
      version: VERSION,
      spec: {
        kubernetes: { apiserver: { extraArgs: { 'audit-log-format': 'json', 'goaway-chance': '0.01' } } },
        system: { preInstall: [{ name: 'login', bash: `echo ${CANARY} >/dev/null` }] },
        dns: { coredns: { additionalConfigs: `# ${CANARY}` } },
      },
    });
  });
  afterAll(() => mirror.close());

  it('is created; neither this machine nor the hosts store the free-form values of its file', async () => {
    const { exit, stderr } = await call('create', 'cluster', '--merge-kubeconfig');
    expect(exit, stderr).toBe(0);
    const state = readFileSync(inFolder('state.json'), 'utf8');
    expect(state).toMatch(/"goaway-chance": "hmac-sha256:[0-9a-f]{64}"/);
    expect(state).not.toContain(CANARY);
    const published = await kubectl(`-n kube-system get secret kubexm-state -o ${STATE_PATH}`);
    expect(JSON.parse(Buffer.from(published, 'base64').toString())).toEqual(JSON.parse(state));
    expect(await kubectl('-n kube-system get configmap kubexm-state --ignore-not-found')).toBe('');
    expect(await sshText(lab, 'node1', `grep -rl ${CANARY} /var/lib/kubexm /etc/kubexm || echo none`)).toBe('none');
    expect(await sshText(lab, 'node1', "stat -c '%a %U' /var/lib/kubexm")).toBe('700 root');
  });

  it('replaces the ConfigMap of an earlier version by the Secret', async () => {
    await kubectl(`-n kube-system create configmap kubexm-state --from-literal=state.json='${CANARY}'`);
    await kubectl('-n kube-system delete secret kubexm-state');
    const { exit, stderr } = await call('create', 'cluster');
    expect(exit, stderr).toBe(0);
    expect(await kubectl('-n kube-system get configmap,secret kubexm-state --ignore-not-found -o name')).toBe(
      'secret/kubexm-state',
    );
  });

  const malicious: readonly (readonly [string, (config: AdminConf) => AdminConf, string])[] = [
    [
      'a command and a proxy',
      (config) => {
        config.users[0]!.user['exec'] = {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'sh',
          args: ['-c', 'touch /tmp/kubexm-owned'],
          interactiveMode: 'Never',
        };
        config.clusters[0]!.cluster['proxy-url'] = 'http://127.0.0.1:1';
        return config;
      },
      'it has fields that kubexm does not write: proxy-url, exec',
    ],
    [
      'a key of another user',
      (config) => {
        config.users[0]!.user['client-key-data'] = Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64');
        return config;
      },
      'its client key is not a PEM private key',
    ],
  ];
  it.each(malicious)('refuses its kubeconfig with %s, in words', async (_, change, reason) => {
    const original = await sshText(lab, 'node1', `cat ${ADMIN_CONF}`);
    const before = [readFileSync(inFolder('kubeconfig'), 'utf8'), readFileSync(userConfig(), 'utf8')];
    await writeOnMaster(ADMIN_CONF, stringify(change(parse(original))));
    const { exit, stderr } = await call('run', 'task', 'fetch-kubeconfig');
    await writeOnMaster(ADMIN_CONF, original);
    expect(exit, stderr).toBe(14);
    expect(stderr).toContain('KUBECONFIG_REFUSED');
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(reason);
    expect([readFileSync(inFolder('kubeconfig'), 'utf8'), readFileSync(userConfig(), 'utf8')]).toEqual(before);
  });

  it('refuses its kubeconfig with credentials of another CA', async () => {
    const original = await sshText(lab, 'node1', `cat ${ADMIN_CONF}`);
    const other = home();
    const admin = { name: 'admin', commonName: 'kubernetes-admin', days: 1, renewDays: 0, usages: ['client'] as const };
    await ensurePki(other, { ca: { name: 'ca', commonName: 'kubernetes', days: 1 }, certificates: [admin] });
    const [ca, pair] = [await readPair(other, 'ca'), await readPair(other, 'admin')];
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const config = parse(original);
    config.clusters[0].cluster['certificate-authority-data'] = base64(ca.certificate!);
    config.users[0].user = {
      'client-certificate-data': base64(pair.certificate!),
      'client-key-data': base64(pair.key!.reveal()),
    };
    await writeOnMaster(ADMIN_CONF, stringify(config));
    const { exit, stderr } = await call('run', 'task', 'fetch-kubeconfig');
    await writeOnMaster(ADMIN_CONF, original);
    expect(exit, stderr).toBe(14);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('its CA certificate is not the CA of this cluster');
    expect((await call('run', 'task', 'fetch-kubeconfig')).exit).toBe(0);
  });

  it('is stopped gracefully when the terminal is closed, and its deletion can be resumed', async () => {
    const child = spawn(resolve('bin/kubexm'), args('delete', 'cluster', '--yes'), {
      env: { ...process.env, ...env(), NO_COLOR: '1' },
    });
    let [output, hungUp] = ['', false];
    child.stdout.resume();
    for await (const chunk of child.stderr.setEncoding('utf8')) {
      output += String(chunk);
      if (!hungUp && /kubernetes\.reset/.test(output)) hungUp = child.kill('SIGHUP');
    }
    const [exit] = child.exitCode === null ? await once(child, 'close') : [child.exitCode];
    expect(exit, output).toBe(130);
    const keys = readdirSync(inFolder('certs', 'etcd')).filter((each) => each.endsWith('.key'));
    expect(keys).toContain('ca.key');
    const resumed = await call('delete', 'cluster', '--yes', '--resume');
    expect(resumed.exit, resumed.stderr).toBe(0);
  });

  it('leaves no credentials on this machine after it is deleted', () => {
    const files = readdirSync(inFolder(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.filter((path) => /\.(key|crt|conf|pub)$|kubeconfig|password|state/.test(path))).toEqual([]);
  });

  it('is created in binary mode with encrypted keys on this machine', async () => {
    const identity = join(lab.paths.folder, 'identity.txt');
    writeFileSync(identity, `# age-keygen\n${await generateX25519Identity()}\n`, { mode: 0o600 });
    file = await mirroredClusterFile(lab, mirror, {
      version: VERSION,
      spec: {
        kubernetes: { type: 'kubexm', encryptionAtRest: true },
        security: { keyEncryption: { ageIdentity: { file: identity } } },
      },
    });
    const { exit, stderr } = await call('create', 'cluster');
    expect(exit, stderr).toBe(0);
    const again = await call('create', 'cluster');
    expect(again.stderr).toContain('Nothing to do');
    const files = readdirSync(inFolder('certs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(crt|pub)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !readFileSync(path, 'latin1').startsWith('age-encryption.org/v1\n'))).toEqual([]);
    expect(files.filter((path) => path.includes('super-admin'))).toEqual([]);
    expect(await sshText(lab, 'node1', 'ls /etc/kubernetes /etc/kubernetes/pki')).not.toMatch(
      /front-proxy-ca\.key|super-admin\.conf$/m,
    );
  });

  it('names the missing identity if its keys are encrypted', async () => {
    const plain = join(lab.paths.folder, 'plain.yaml');
    const cluster = parse(readFileSync(file, 'utf8'));
    delete cluster.spec.security;
    writeFileSync(plain, stringify(cluster), { mode: 0o600 });
    const { exit, stderr } = await kubexm(
      ['create', 'cluster', '-f', plain, '--workdir', lab.paths.folder, '--skip-preflight'],
      env(),
    );
    expect(exit, stderr).toBe(10);
    expect(stderr).toContain('KEY_ENCRYPTED');
    const deleted = await call('delete', 'cluster', '--yes');
    expect(deleted.exit, deleted.stderr).toBe(0);
  });
});

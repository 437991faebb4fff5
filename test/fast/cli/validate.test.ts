import { expect, it } from 'vitest';
import { home, kubexm } from './kubexm.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

it('summarizes a valid cluster file and exits with 0', async () => {
  const { exit, stdout, stderr } = await kubexm(['validate', 'cluster', '-f', 'examples/single-node.yaml']);
  expect(stdout).toBe(
    [
      '✓ examples/single-node.yaml is valid',
      '',
      '  Cluster     single',
      '  Hosts       1 (1 etcd, 1 master, 1 worker)',
      '  Kubernetes  1.35.8 (kubeadm), containerd, calico, etcd (kubexm)',
      '',
    ].join('\n'),
  );
  expect(stderr).toBe('');
  expect(exit).toBe(0);
});

it('lists all errors of an invalid cluster file and exits with 10', async () => {
  const { exit, stdout, stderr } = await kubexm(['validate', 'cluster', '-f', 'test/fixtures/seed-sample.yaml']);
  expect(stdout).toBe('');
  expect(stderr).toContain('x test/fixtures/seed-sample.yaml has 20 errors');
  expect(stderr).toContain(
    'test/fixtures/seed-sample.yaml:53:27 spec.controlPlaneEndpoint.internalLoadbalancer: lists several choices; keep one of them',
  );
  expect(stderr).toContain('Code   CONFIG_INVALID');
  expect(stderr).not.toContain('Qcloud@123');
  expect(exit).toBe(10);
});

it('prints JSON for scripts', async () => {
  const bad = await kubexm([
    'validate',
    'cluster',
    '-f',
    'test/fixtures/full.yaml',
    '-e',
    'kubernetes.type=k3s',
    '-o',
    'json',
  ]);
  expect(bad.exit).toBe(10);
  expect(JSON.parse(bad.stdout)).toEqual({
    file: 'test/fixtures/full.yaml',
    valid: false,
    diagnostics: [
      {
        severity: 'error',
        rule: 'not-allowed',
        place: '-e kubernetes.type',
        path: 'spec.kubernetes.type',
        message: 'is not allowed',
        got: '"k3s"',
        allowed: ['kubeadm', 'kubexm'],
      },
    ],
  });
  const good = await kubexm(['validate', 'cluster', '-f', 'test/fixtures/full.yaml', '-o', 'json']);
  expect(JSON.parse(good.stdout)).toEqual({ file: 'test/fixtures/full.yaml', valid: true, diagnostics: [] });
});

it('prints a valid cluster file with all defaults as YAML', async () => {
  const { stdout } = await kubexm(['validate', 'cluster', '-f', 'examples/kubekey.yaml', '-o', 'yaml']);
  const folder = home();
  writeFileSync(join(folder, 'c.yaml'), stdout);
  expect(stdout).toContain('heartbeatInterval: 250');
  expect((await kubexm(['validate', 'cluster', '-f', join(folder, 'c.yaml')])).exit).toBe(0);
});

it('uses the cluster file of the current context and requires -f without one', async () => {
  const KUBEXM_HOME = home();
  expect((await kubexm(['validate', 'cluster'], { KUBEXM_HOME })).stderr).toContain(
    'No cluster file was specified and there is no current context.',
  );
  mkdirSync(KUBEXM_HOME, { recursive: true });
  writeFileSync(
    join(KUBEXM_HOME, 'config'),
    `currentContext: a\ncontexts: [{name: a, file: ${resolve('examples/binary.yaml')}, workdir: /tmp}]\n`,
  );
  expect((await kubexm(['validate', 'cluster'], { KUBEXM_HOME })).stdout).toContain('binary.yaml is valid');
});

it('logs one JSON object per line with --log-format json', async () => {
  const { exit, stderr } = await kubexm([
    'validate',
    'cluster',
    '-f',
    'test/fixtures/full.yaml',
    '--log-format',
    'json',
    '-e',
    'kubernetes.type=k3s',
    '-e',
    'kubernetes.proxyMode=ipvs',
  ]);
  const [warning, error] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(warning).toMatchObject({ level: 'warning', timestamp: expect.stringMatching(/Z$/) });
  expect(error).toMatchObject({
    level: 'error',
    code: 'CONFIG_INVALID',
    exit: 10,
    title: 'test/fixtures/full.yaml has one error',
  });
  expect(exit).toBe(10);
});

it('prints JSON although the cluster file is missing', async () => {
  const { exit, stdout } = await kubexm(['validate', 'cluster', '-f', '/nonexistent.yaml', '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ valid: false, diagnostics: [], error: { code: 'FILE_NOT_FOUND' } });
  expect(exit).toBe(10);
});

it('masks secrets in Helm values', async () => {
  const { stdout } = await kubexm([
    'validate',
    'cluster',
    '-f',
    'test/fixtures/full.yaml',
    '-o',
    'yaml',
    '-e',
    'addons[0].source.repo=https://me:hunter2@charts.example.com',
    '-e',
    'addons[0].values={auth: {adminPassword: hunter2, apiToken: hunter2}}',
  ]);
  expect(stdout).toContain('https://•••@charts.example.com');
  expect(stdout).not.toContain('hunter2');
});

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { kubexm } from './kubexm.ts';

/** The completions that a real bash offers after `words`. */
function tabInBash(...words: readonly string[]): readonly string[] {
  const script = `source <(kubexm completion bash)
COMP_WORDS=(kubexm "$@"); COMP_CWORD=$#
compopt() { printf 'compopt %s %s\\n' "$1" "$2"; }
_kubexm
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const PATH = `${resolve('bin')}:${process.env['PATH']}`;
  const answer = execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    encoding: 'utf8',
    env: { ...process.env, PATH },
  });
  return answer.split('\n').filter(Boolean);
}

it.each([
  [['val'], ['validate']],
  [
    ['create', ''],
    ['config', 'cluster', 'registry'],
  ],
  [['config', 'use'], ['use-context']],
  [['create', 'config', '--netw'], ['--network']],
  [
    ['create', 'config', '--network', 'c'],
    ['calico', 'cilium'],
  ],
  [
    ['validate', 'cluster', '-o', ''],
    ['text', 'json', 'yaml'],
  ],
  [['validate', 'cluster', '-f', ''], ['compopt -o default']],
  [['add', 'nodes', '--role', 'w'], ['worker']],
  [['add', 'nodes', '--role', 'worker,e'], ['worker,etcd']],
  [
    ['delete', 'nodes', '-f', 'examples/dual-stack.yaml', '--nodes', ''],
    ['node1', 'node2'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['--no-color', 'val'], ['validate']],
  [
    ['version', '--log-format', ''],
    ['text', 'json'],
  ],
  [['--verb'], ['--verbose']],
  [['nonsense', ''], []],
])('completes kubexm %j in bash', (words, expected) => expect(tabInBash(...words)).toEqual(expected));

it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
  const { exit, stdout } = await kubexm(['completion', shell]);
  expect(exit).toBe(0);
  expect(stdout).toContain('kubexm');
  expect(stdout).toContain('__complete');
});

it('rejects an unknown shell', async () => {
  const { exit, stderr } = await kubexm(['completion', 'csh']);
  expect(exit).toBe(2);
  expect(stderr).toContain("unknown shell 'csh'; supported: bash, zsh, fish");
});

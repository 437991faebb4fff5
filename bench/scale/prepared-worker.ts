import { execFileSync } from 'node:child_process';
import { readCommand } from '../../src/runner/path-commands.ts';
import { FACTS_SCRIPT } from '../../src/runner/facts/script.ts';
import type { Answer } from '../../test/fake/shell-server.ts';
import type { Recording } from './recording.ts';

/** The plan that a prepared worker can answer: the parts of the operating system that need no real machine. */
export const PREPARED_TAGS = ['--tags', 'infrastructure', '--skip-tags', 'os.sysctl,os.modules,os.firewall'];

/**
 * The answers of a machine with systemd that has the facts of this computer, no swap and all packages. For computers that
 * cannot run lab machines.
 */
export function preparedWorker(name: string, address: string): Recording {
  const sections: readonly (readonly [RegExp, string])[] = [
    [/^== hostname\n.*/m, `== hostname\n${name}`],
    [/^== init\n.*/m, '== init\nsystemd'],
    [/^SwapTotal:.*/m, 'SwapTotal: 0 kB'],
    [/^== addresses\n[^]*?(?=\n== )/m, `== addresses\n2: eth0 inet ${address}/8 scope global eth0\n`],
    [/^== listening\n[^]*?(?=\n== )/m, '== listening\n'],
    [/^== mounts\n[^]*?(?=\n== )/m, '== mounts\n/dev/vda / ext4 rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n'],
  ];
  const facts = execFileSync('/bin/sh', ['-c', FACTS_SCRIPT], { encoding: 'utf8' });
  return {
    name,
    address,
    answers: {
      [FACTS_SCRIPT]: ok(sections.reduce((text, [section, value]) => text.replace(section, value), facts)),
      [readCommand('/proc/sys/kernel/hostname').text]: ok(`${name}\n`),
    },
  };
}

const ok = (stdout: string): Answer => ({ exit: 0, stdout, stderr: '' });

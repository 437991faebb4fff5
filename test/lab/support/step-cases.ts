import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { sh } from '../../../src/runner/command.ts';
import type { UploadSource } from '../../../src/runner/runner.ts';
import { startingService } from '../../../src/step/common/starting-service.ts';
import { absent } from '../../../src/step/common/absent.ts';
import { command } from '../../../src/step/common/command.ts';
import { directory } from '../../../src/step/common/directory.ts';
import { file } from '../../../src/step/common/file.ts';
import { kernelModules } from '../../../src/step/common/kernel-modules.ts';
import { recordedService } from '../../../src/step/common/recorded-service.ts';
import { managedBlock } from '../../../src/step/common/managed-block.ts';
import { packages } from '../../../src/step/common/packages.ts';
import { runningService } from '../../../src/step/common/running-service.ts';
import { uploadedLocalFile } from '../../../src/step/common/uploaded-local-file.ts';
import { stoppedService } from '../../../src/step/common/stopped-service.ts';
import { symlink } from '../../../src/step/common/symlink.ts';
import { sysctl } from '../../../src/step/common/sysctl.ts';
import { uploaded } from '../../../src/step/common/uploaded.ts';
import { user } from '../../../src/step/common/user.ts';
import { waitUntil } from '../../../src/step/common/wait-until.ts';
import type { GenericStep } from '../../../src/step/contract/part.ts';
import { expect } from 'vitest';

/** A generic step in one situation. */
export interface StepCase {
  /** Name of the file in src/step/common or src/step/transfer. */
  readonly of: string;
  readonly name: string;
  /** Script that prepares the machine. */
  readonly given?: string;
  readonly step: GenericStep;
  /** The expected reason of the first precheck. */
  readonly because: unknown;
  readonly diff?: unknown;
  /** The change does not show up in a snapshot of the machine. */
  readonly invisible?: true;
}

const folder = mkdtempSync(join(tmpdir(), 'kubexm-steps-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Must not appear in any finding. */
export const SECRET = 'geheim';

const has = (text: string): unknown => expect.stringContaining(text);

const sourceOf = (content: Buffer): UploadSource => ({
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  open: (offset) => Readable.from([content.subarray(offset)]),
});
const binary = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256));

const old = join(folder, 'old.conf');
writeFileSync(old, 'original content', { mode: 0o640 });

const unit = (name: string, exec: string, more = '') =>
  `printf '[Service]\\nExecStart=${exec}\\n${more}[Install]\\nWantedBy=multi-user.target\\n' >/etc/systemd/system/${name}.service; systemctl daemon-reload; `;

const files: readonly StepCase[] = [
  {
    of: 'file',
    name: 'a new file in new directories',
    step: file({ path: '/etc/kubexm-t/deep/it.conf', content: "it's $HOME\n", mode: 0o600, owner: 'root:adm' }),
    because: 'does not exist',
  },
  {
    of: 'file',
    name: 'a file with different content, mode and owner',
    given: `printf 'old\\n' >/etc/kubexm-old; chown 4242:daemon /etc/kubexm-old; chmod 4750 /etc/kubexm-old; touch -d 2020-01-01 /etc/kubexm-old`,
    step: file({ path: '/etc/kubexm-old', content: 'new\n' }),
    because: 'mode is 4750, want 0644, owner is 4242:daemon, want root:root, content differs',
    diff: '--- /etc/kubexm-old\n+++ /etc/kubexm-old\n@@ -1 +1 @@\n-old\n+new',
  },
  {
    of: 'file',
    name: 'a secret file that replaces a symlink',
    given: 'ln -sfn /etc/hostname /etc/kubexm-link',
    step: file({ path: '/etc/kubexm-link', content: new Secret(SECRET), mode: 0o400 }),
    because: has('is a symlink, want a file'),
  },
  {
    of: 'managed-block',
    name: 'in a file without a trailing newline',
    given: `printf '127.0.0.1 here\\n10.0.0.9 other' >/etc/kubexm-hosts; chmod 640 /etc/kubexm-hosts`,
    step: managedBlock({ path: '/etc/kubexm-hosts', marker: 'hosts', content: '10.0.0.1 node1\n10.0.0.2 node2\n' }),
    because: 'block differs',
    diff: has('+10.0.0.2 node2'),
  },
  {
    of: 'managed-block',
    name: 'at the start of a bind-mounted file',
    given: `printf '127.0.0.1 here\\n' >/root/kubexm-source; touch /etc/kubexm-mounted; mount --bind /root/kubexm-source /etc/kubexm-mounted; chmod 600 /etc/kubexm-mounted`,
    step: managedBlock({ path: '/etc/kubexm-mounted', marker: 'hosts', content: '10.0.0.1 node1\n', first: true }),
    because: 'block differs',
    diff: has('@@ -1 +1,4 @@\n+# BEGIN kubexm hosts'),
  },
  {
    of: 'managed-block',
    name: 'replacing an older block',
    given: `printf '; BEGIN kubexm x\\nold\\n; END kubexm x\\nafter\\n' >/etc/kubexm-block`,
    step: managedBlock({ path: '/etc/kubexm-block', marker: 'x', content: 'new', comment: ';' }),
    because: 'block differs',
  },
  {
    of: 'directory',
    name: 'a new directory',
    step: directory({ path: '/srv/kubexm-t/a/b', mode: 0o700, owner: 'daemon:adm' }),
    because: 'does not exist',
  },
  {
    of: 'directory',
    name: 'a directory with a different mode and owner',
    given: 'mkdir -p /srv/kubexm-d; chmod 1777 /srv/kubexm-d; chown 4242:4242 /srv/kubexm-d; echo x >/srv/kubexm-d/x',
    step: directory({ path: '/srv/kubexm-d', mode: 0o750 }),
    because: 'mode is 1777, want 0750, owner is 4242:4242, want root:root',
  },
  {
    of: 'absent',
    name: 'a tree with modes, owners and links',
    given: `mkdir -p /srv/kubexm-a/b; echo x >/srv/kubexm-a/b/x; chmod 4711 /srv/kubexm-a/b/x; chown 4242:adm /srv/kubexm-a/b; ln -sfn nowhere /srv/kubexm-a/l`,
    step: absent({ path: '/srv/kubexm-a' }),
    because: 'is a directory',
  },
  {
    of: 'absent',
    name: 'a dangling symlink',
    given: 'ln -sfn /nowhere /etc/kubexm-dangling',
    step: absent({ path: '/etc/kubexm-dangling' }),
    because: 'is a symlink',
  },
  {
    of: 'symlink',
    name: 'a new symlink',
    step: symlink({ path: '/opt/kubexm-t/current', target: '/opt/kubexm-t/v1' }),
    because: 'does not exist',
  },
  {
    of: 'symlink',
    name: 'a symlink with a different target',
    given: 'ln -sfn v1 /opt/kubexm-current',
    step: symlink({ path: '/opt/kubexm-current', target: 'v2' }),
    because: 'points to v1, want v2',
  },
  {
    of: 'uploaded',
    name: 'a new program',
    step: uploaded({ source: sourceOf(binary), path: '/usr/local/bin/kubexm-t', mode: 0o755 }),
    because: 'does not exist',
  },
  {
    of: 'uploaded',
    name: 'replacing an older program',
    given: 'mkdir -p /opt/kubexm-u; echo old >/opt/kubexm-u/it; chmod 700 /opt/kubexm-u/it',
    step: uploaded({ source: sourceOf(binary), path: '/opt/kubexm-u/it', mode: 0o755 }),
    because: 'mode is 0700, want 0755, checksum differs',
  },
  {
    of: 'uploaded-local-file',
    name: 'a local file',
    given: 'mkdir -p /etc/kubexm-s; echo old >/etc/kubexm-s/tls.key',
    step: uploadedLocalFile({ localPath: old, path: '/etc/kubexm-s/tls.key', mode: 0o640, owner: 'root:adm' }),
    because: 'mode is 0644, want 0640, owner is root:root, want root:adm, checksum differs',
  },
];

const system: readonly StepCase[] = [
  {
    of: 'packages',
    name: 'a package with dependencies',
    step: packages(['jq', 'curl']),
    because: 'not installed: jq',
  },
  {
    of: 'starting-service',
    name: 'a service that does not become ready on its own',
    given: unit('kubexm-b', '/bin/sleep infinity', 'Type=notify\\nTimeoutStartSec=300\\n'),
    step: startingService({ unit: 'kubexm-b.service' }),
    because: 'not enabled, inactive (dead)',
  },
  {
    of: 'running-service',
    name: 'a service that is neither enabled nor started',
    given: unit('kubexm-r', '/bin/sleep infinity'),
    step: runningService({ unit: 'kubexm-r.service' }),
    because: 'not enabled, inactive (dead)',
  },
  {
    of: 'running-service',
    name: 'a service whose config file is newer than its process',
    given: `${unit('kubexm-n', '/bin/sleep infinity')} systemctl enable -q --now kubexm-n; sleep 0.1; touch /etc/kubexm-n.conf`,
    step: runningService({ unit: 'kubexm-n.service', restartIfNewer: ['/etc/kubexm-n.conf', '/etc/kubexm-none'] }),
    because: '/etc/kubexm-n.conf is newer than the process',
    invisible: true,
  },
  {
    of: 'recorded-service',
    name: 'before its config file is changed',
    given: `${unit('kubexm-k', '/bin/sleep infinity')} systemctl enable -q --now kubexm-k`,
    step: recordedService({ unit: 'kubexm-k.service', changes: [file({ path: '/etc/kubexm-k.conf', content: 'k' })] }),
    because: 'about to change: does not exist',
    invisible: true,
  },
  {
    of: 'stopped-service',
    name: 'a running service',
    given: `${unit('kubexm-s', '/bin/sleep infinity')} systemctl enable -q --now kubexm-s`,
    step: stoppedService({ unit: 'kubexm-s.service' }),
    because: 'active (running), enabled',
  },
  {
    of: 'sysctl',
    name: 'different values',
    given: `printf 'net.ipv4.tcp_keepalive_time = 7000\\n' >/etc/sysctl.d/95-kubexm-t.conf`,
    step: sysctl({
      path: '/etc/sysctl.d/95-kubexm-t.conf',
      values: { 'net.ipv4.tcp_keepalive_time': 601, 'net.ipv4.conf.eth0.rp_filter': 2 },
    }),
    because: has('net.ipv4.tcp_keepalive_time is 7200, want 601'),
  },
  {
    of: 'sysctl',
    name: 'minimum values, and keys unknown to this kernel',
    given: 'echo 5000 >/proc/sys/net/core/somaxconn; echo 100 >/proc/sys/net/ipv4/tcp_max_syn_backlog',
    step: sysctl({
      path: '/etc/sysctl.d/95-kubexm-l.conf',
      values: { 'net.ipv4.tcp_keepalive_intvl': 33, 'net.ipv4.no_such_key': 1 },
      atLeast: { 'net.core.somaxconn': 4096, 'net.ipv4.tcp_max_syn_backlog': 8192 },
      skipUnknown: true,
    }),
    because: has('net.ipv4.tcp_max_syn_backlog is 100, want at least 8192'),
    diff: has('+net.ipv4.tcp_keepalive_intvl = 33\n+net.ipv4.tcp_max_syn_backlog = 8192'),
  },
  {
    of: 'kernel-modules',
    name: 'a built-in module, and one detected by a command',
    step: kernelModules({
      path: '/etc/modules-load.d/kubexm-t.conf',
      modules: [{ name: 'overlay' }, { name: 'br_netfilter', evidence: sh`[ -e /proc/sys/net/bridge ]` }],
    }),
    because: '/etc/modules-load.d/kubexm-t.conf: does not exist',
  },
  {
    of: 'user',
    name: 'a new user',
    step: user({ name: 'kubexm-t', uid: 877, home: '/var/lib/kubexm-t' }),
    because: 'does not exist',
  },
  {
    of: 'user',
    name: 'a user with a different shell',
    step: user({ name: 'games', home: '/usr/games', shell: '/bin/sh' }),
    because: 'shell is /usr/sbin/nologin, want /bin/sh',
  },
  {
    of: 'command',
    name: 'with an undo command',
    step: command({
      key: 'command:write the city',
      summary: 'write the city',
      check: sh`grep -q Berlin /etc/kubexm-city`,
      run: sh`echo ${'Berlin'} >/etc/kubexm-city`,
      undo: sh`rm -f /etc/kubexm-city`,
    }),
    because: '`grep -q Berlin /etc/kubexm-city` failed',
  },
  {
    of: 'wait-until',
    name: 'a condition that becomes true later',
    given: `rm -f /run/kubexm-soon; systemd-run --collect -q --unit kubexm-soon sh -c 'sleep 4; touch /run/kubexm-soon'`,
    step: waitUntil({
      key: 'command:file-exists',
      summary: '/run/kubexm-soon exists',
      condition: sh`test -e /run/kubexm-soon`,
      timeoutMs: 20_000,
    }),
    because: 'not yet',
    invisible: true,
  },
];

export const stepCases: readonly StepCase[] = [...files, ...system];

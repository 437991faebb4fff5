import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Secret } from '../../../src/common/secret.ts';
import { sh } from '../../../src/runner/command.ts';
import type { UploadSource } from '../../../src/runner/runner.ts';
import { absent } from '../../../src/step/common/absent.ts';
import { command } from '../../../src/step/common/command.ts';
import { directory } from '../../../src/step/common/directory.ts';
import { file } from '../../../src/step/common/file.ts';
import { fileTree } from '../../../src/step/common/file-tree.ts';
import { kernelModules } from '../../../src/step/common/kernel-modules.ts';
import { managedBlock } from '../../../src/step/common/managed-block.ts';
import { runningService } from '../../../src/step/common/running-service.ts';
import { stoppedService } from '../../../src/step/common/stopped-service.ts';
import { symlink } from '../../../src/step/common/symlink.ts';
import { sysctl } from '../../../src/step/common/sysctl.ts';
import { uploaded } from '../../../src/step/common/uploaded.ts';
import { user } from '../../../src/step/common/user.ts';
import { waitUntil } from '../../../src/step/common/wait-until.ts';
import { configuredService } from '../../../src/step/common/configured-service.ts';
import type { GenericStep, StepView } from '../../../src/step/contract/part.ts';
import { defineStep, type Step } from '../../../src/step/contract/step.ts';

/** Thirty steps of all kinds, for a machine prepared by `restoreMachine`. */
export const proofSteps = (): readonly Step[] =>
  [
    ...FILES.map((part) => () => [part]),
    ...SERVICES,
    ...SYSTEM.map((part) => () => [part]),
    ({ host }: StepView) => [file({ path: '/srv/kx/name', content: `${host.name}\n` })],
    () => [file({ path: '/srv/kx/last/a', content: 'a\n' }), file({ path: '/srv/kx/last/b', content: 'b\n' })],
  ].map((parts, at) =>
    defineStep({ name: `proof.${String(at + 1).padStart(2, '0')}`, summary: `Step ${at + 1}`, parts }),
  );

/** Must not appear anywhere except in the file that contains it. */
export const SECRET = 'kx-secret-0815';

const sourceOf = (content: Buffer): UploadSource => ({
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  open: (offset) => Readable.from([content.subarray(offset)]),
});
const bytes = (factor: number) => Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * factor) % 256));

const FILES: readonly GenericStep[] = [
  file({ path: '/etc/kx/deep/it.conf', content: "it's $HOME\n", mode: 0o600, owner: 'root:adm' }),
  file({ path: '/etc/kx-old', content: 'new\n' }),
  file({ path: '/etc/kx-link', content: new Secret(SECRET), mode: 0o400 }),
  managedBlock({ path: '/etc/kx-hosts', marker: 'one', content: '10.0.0.1 node1\n' }),
  managedBlock({ path: '/etc/kx-hosts', marker: 'two', content: '10.0.0.2 node2\n' }),
  directory({ path: '/srv/kx/a/b', mode: 0o700, owner: 'daemon:adm' }),
  directory({ path: '/srv/kx-dir', mode: 0o750 }),
  absent({ path: '/srv/kx-tree' }),
  absent({ path: '/etc/kx-dangling' }),
  symlink({ path: '/opt/kx/current', target: '/opt/kx/v1' }),
  symlink({ path: '/opt/kx-current', target: 'v2' }),
  uploaded({ source: sourceOf(bytes(7)), path: '/opt/kx/program', mode: 0o755 }),
  uploaded({ source: sourceOf(bytes(11)), path: '/opt/kx-program', mode: 0o755 }),
  file({ path: '/opt/kx-x/bin/a', content: 'new\n', mode: 0o755 }),
  fileTree({ path: '/opt/kx-y/z', files: [{ name: 'p-1/bin/a', content: 'new\n', secret: false }] }),
];

// Oneshot units, because other services are watched for two seconds after the start, which would take most of the test time.
const unit = (name: string) => `[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'echo started ${name} >>/var/log/kx-effects'
ExecStop=/bin/sh -c 'echo stopped ${name} >>/var/log/kx-effects'
[Install]
WantedBy=multi-user.target
`;

const SERVICES: readonly (() => readonly GenericStep[])[] = [
  () => [
    file({ path: '/etc/systemd/system/kx-new.service', content: unit('kx-new') }),
    runningService({ unit: 'kx-new.service' }),
  ],
  () =>
    configuredService({
      unit: 'kx-web.service',
      files: [
        file({ path: '/etc/kx-web.conf', content: 'seconds=2\n' }),
        file({ path: '/etc/systemd/system/kx-web.service', content: unit('kx-web') }),
      ],
      restartIfNewer: ['/etc/kx-web.conf', '/etc/systemd/system/kx-web.service'],
    }),
  () => [stoppedService({ unit: 'kx-stop.service' })],
  () => [stoppedService({ unit: 'kx-gone.service' }), absent({ path: '/etc/systemd/system/kx-gone.service' })],
];

const SYSTEM: readonly GenericStep[] = [
  sysctl({ path: '/etc/sysctl.d/95-kx.conf', values: { 'net.ipv4.tcp_keepalive_time': 601 } }),
  sysctl({ path: '/etc/sysctl.d/96-kx.conf', values: { 'net.ipv4.tcp_keepalive_intvl': 33 } }),
  user({ name: 'kx-user', uid: 877, home: '/var/lib/kx-user' }),
  user({ name: 'games', home: '/usr/games', shell: '/bin/sh' }),
  kernelModules({ path: '/etc/modules-load.d/kubexm-kx.conf', modules: [{ name: 'overlay' }] }),
  directory({ path: '/srv/kx-mount', mode: 0o700 }),
  command({
    key: 'command:count up',
    summary: 'count up',
    check: sh`test -s /srv/kx-count`,
    run: sh`echo one >>/srv/kx-count`,
    undo: sh`rm -f /srv/kx-count`,
  }),
  // Slow on one machine, so that it is still running when the run is killed and resumed.
  command({
    key: 'command:count up slowly',
    summary: 'count up slowly',
    check: sh`test -s /srv/kx-slow`,
    run: sh`[ "$(hostname)" != node2 ] || sleep 2; echo one >>/srv/kx-slow; echo counted slowly >>/var/log/kx-effects`,
    undo: sh`rm -f /srv/kx-slow`,
  }),
  waitUntil({
    key: 'command:the count is there',
    summary: 'the count is there',
    condition: sh`test -e /srv/kx-slow`,
    timeoutMs: 20_000,
  }),
];

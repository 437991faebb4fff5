import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { run, tryRun } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labNames, ssh, sshText } from './support.ts';

const named = await labNames();
const names = { odd: named('odd') };
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({
    name: names.odd,
    machines: 2,
    user: 'ops',
    password: "pass'word 1",
    sudoPassword: 'sudo "2"',
    port: 2222,
    keyTypes: ['ed25519', 'rsa', 'ecdsa'],
    passphrase: 'open sesame',
    jump: true,
    disk: '64M',
    shell: '/bin/csh',
    banner: "Don't panic",
  });
});

test('the user logs in through the jump host with csh and a banner', async () => {
  expect((await sshText(lab, 'node1', 'whoami')).split('\n')).toEqual(["Don't panic", 'ops']);
  expect(await sshText(lab, 'node2', 'echo $shell')).toContain('/bin/csh');
});

test('machines reject SSH that does not come from the jump host', async () => {
  const direct = await ssh(lab, 'node1', 'true', '-o', 'ProxyJump=none');
  expect(direct.exit).toBe(255);
  expect(direct.stderr).toMatch(/refused|reset/i);
});

test('root cannot log in', async () => {
  expect((await ssh(lab, 'node1', 'true', '-l', 'root')).stderr).toContain('Permission denied');
});

test('sudo asks for the sudo password', async () => {
  expect((await ssh(lab, 'node1', 'sudo -n true')).exit).not.toBe(0);
  expect((await ssh(lab, 'node1', `printf '%s\\n' 'sudo "2"' | sudo -S -p '' id -u`)).stdout).toContain('\n0');
  expect((await ssh(lab, 'node1', `printf '%s\\n' "pass'word 1" | sudo -S -p '' id -u`)).exit).not.toBe(0);
});

test('every key is accepted, and the encrypted one needs its passphrase', async () => {
  for (const type of ['ed25519', 'rsa', 'ecdsa']) {
    const only = ['-o', 'IdentityFile=none', '-i', `${lab.paths.folder}/id_${type}`];
    expect((await ssh(lab, 'jump', 'true', ...only)).exit, type).toBe(0);
  }
  const locked = `${lab.paths.folder}/id_ecdsa_locked`;
  expect((await tryRun(['ssh-keygen', '-y', '-P', '', '-f', locked])).exit).not.toBe(0);
  expect((await tryRun(['ssh-keygen', '-y', '-P', 'open sesame', '-f', locked])).exit).toBe(0);
});

test('the password is accepted, too', async () => {
  const askpass = `${lab.paths.folder}/askpass`;
  await run(['sh', '-c', `printf '#!/bin/sh\\necho "pass'"'"'word 1"\\n' >${askpass} && chmod 700 ${askpass}`]);
  const { exit, stderr } = await tryRun(
    [
      'ssh',
      '-F',
      lab.paths.sshConfig,
      '-o',
      'PubkeyAuthentication=no',
      '-o',
      'PreferredAuthentications=password',
      'jump',
      'true',
    ],
    { env: { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' } },
  );
  expect(exit, stderr).toBe(0);
});

test('the extra disk can be formatted and mounted', async () => {
  const sudo = (command: string) => ssh(lab, 'node2', `printf '%s\\n' 'sudo "2"' | sudo -S -p '' ${command}`);
  const made = await sudo('mkfs.ext4 -q /dev/vdb');
  expect(made.exit, made.stderr).toBe(0);
  expect((await sudo('mount /dev/vdb /mnt')).exit).toBe(0);
  expect((await sudo('df --output=source /mnt')).stdout).toMatch(/vdb|loop/);
  expect((await sudo('umount /mnt')).exit).toBe(0);
});

test('the cluster file contains all login options', async () => {
  const [first, second] = parse(await readFile(lab.paths.cluster, 'utf8')).spec.hosts;
  expect(first).toMatchObject({
    name: 'node1',
    port: 2222,
    user: 'ops',
    password: "pass'word 1",
    sudoPassword: 'sudo "2"',
    privateKeyPath: `${lab.paths.folder}/id_ed25519`,
    jump: {
      address: lab.machines[0]!.address,
      user: 'ops',
      privateKeyPath: `${lab.paths.folder}/id_ed25519`,
      hostKey: expect.stringMatching(/^ssh-ed25519 /),
    },
  });
  expect(second.privateKeyPath).toBe(`${lab.paths.folder}/id_rsa`);
});

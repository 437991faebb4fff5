import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Connector } from '../../src/connector/connector.ts';
import { knownHosts } from '../../src/connector/known-hosts.ts';
import { sshConnector } from '../../src/connector/ssh.ts';
import { labDown } from '../../src/lab/down.ts';
import { scriptOn } from '../../src/lab/machine/machine.ts';
import { run } from '../../src/lab/run.ts';
import { labUp } from '../../src/lab/up.ts';

/** Hosts to upload to, with kubexm and with scp. */
export interface UploadHosts extends AsyncDisposable {
  readonly what: string;
  readonly hosts: readonly UploadHost[];
  /** Bytes that this computer has sent to them so far; undefined if it cannot be measured. */
  sentBytes(): Promise<number | undefined>;
  /** Limits what this computer and each host can send; false if that is not possible. */
  limitLinks(rate: string): Promise<boolean>;
}

export interface UploadHost {
  readonly connector: Connector;
  /** The address for other hosts. */
  readonly address: string;
  /** Options and target of ssh and scp. */
  readonly options: readonly string[];
  readonly port: number;
}

/** Lab machines. */
export async function labHosts(name: string, count: number, folder: string): Promise<UploadHosts> {
  const lab = await labUp({ name, machines: count });
  const key = join(lab.paths.folder, 'id_ed25519');
  const hosts = lab.machines.map(({ name, address, port }) => hostAt(name, address, address, port, key, folder));
  const bridge = /dev (\S+)/.exec(await run(['ip', '-o', 'route', 'get', hosts[0]!.address]))?.[1] ?? '';
  return {
    what: 'lab machines',
    hosts,
    sentBytes: async () => Number(await readFile(`/sys/class/net/${bridge}/statistics/tx_bytes`, 'utf8')),
    async limitLinks(rate) {
      const limit = (device: string) => `tc qdisc replace dev ${device} root tbf rate ${rate} burst 1mb latency 100ms`;
      try {
        await run(['sh', '-c', limit(bridge)]);
        await Promise.all(lab.machines.map((machine) => scriptOn(machine, limit('eth0'))));
        return true;
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: async () => {
      await closeAll(hosts);
      await labDown(name);
    },
  };
}

/** Processes on this computer with their own /var/lib in memory, each with an SSH server. Needs root, but no lab. */
export async function namespaceHosts(count: number, folder: string): Promise<UploadHosts> {
  const key = join(folder, 'id');
  await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const addresses = Array.from({ length: count }, (_, at) => `127.21.0.${at + 1}`);
  const children = addresses.map((address) => {
    const serve = `exec "${process.execPath}" --import tsx bench/uploads/namespace-host.ts ${address}`;
    const script = `mount -t tmpfs tmpfs /var/lib && ${serve}`;
    return spawn('unshare', ['-m', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  });
  const hosts = await Promise.all(
    children.map(async ({ stdout }, at) => {
      const [port] = await once(createInterface({ input: stdout }), 'line');
      // All of them connect to each other from 127.0.0.1, which is what they check.
      return hostAt(`host${at + 1}`, addresses[at]!, '127.0.0.1', Number(port), key, folder);
    }),
  );
  return {
    what: 'processes with their own files in memory',
    hosts,
    // What this process writes, which includes everything that kubexm sends, but not what scp does.
    sentBytes: async () => Number(/wchar: (\d+)/.exec(await readFile('/proc/self/io', 'utf8'))?.[1]),
    limitLinks: () => Promise.resolve(false),
    [Symbol.asyncDispose]: async () => {
      await closeAll(hosts);
      for (const child of children) child.kill();
    },
  };
}

function hostAt(name: string, at: string, address: string, port: number, key: string, folder: string): UploadHost {
  const target = { name, address: at, port, user: 'root', privateKeyPath: key, timeoutMs: 60_000 };
  const trust = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'BatchMode=yes'];
  const options = ['-i', key, ...trust.flatMap((option) => ['-o', option]), '-o', `HostName=${at}`];
  return { connector: sshConnector(target, knownHosts(join(folder, 'known_hosts'))), address, options, port };
}

async function closeAll(hosts: readonly UploadHost[]): Promise<void> {
  for (const { connector } of hosts) await connector[Symbol.asyncDispose]();
}

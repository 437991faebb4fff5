import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { PERL_SERVER, PYTHON_SERVER } from '../../../../src/step/transfer/fan-out-program.ts';
import { home } from '../../cli/kubexm.ts';

const programs = [
  { program: 'perl', flag: '-e', text: PERL_SERVER },
  { program: 'python3', flag: '-c', text: PYTHON_SERVER },
].filter(({ program }) => spawnSync(program, ['--version']).status === 0);

const content = 'content\n'.repeat(300_000);

const complete = () => {
  const path = join(home(), 'file');
  writeFileSync(path, content);
  return path;
};

describe.each(programs)('the $program server', ({ program, flag, text }) => {
  const start = async (peer: string, seconds: number, path = complete()) => {
    const args = [flag, text, peer, String(seconds), String(content.length), '/nonexistent/file', path];
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end('token');
    const [port] = await once(createInterface({ input: child.stdout }), 'line');
    return { port: Number(port), ended: once(child, 'exit') };
  };
  const download = async (port: number, token: string) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.write(`${token}\n`);
    let received = '';
    for await (const chunk of socket) received += String(chunk);
    return received;
  };

  it('serves the file once, and only with the right token', async () => {
    const { port, ended } = await start('127.0.0.1', 20);
    expect(await download(port, 'wrong')).toBe('');
    expect(await download(port, 'token')).toBe(content);
    expect(await ended).toEqual([0, null]);
    await expect(download(port, 'token')).rejects.toThrow('ECONNREFUSED');
  });

  it('serves a file that is still arriving, up to its end', async () => {
    const path = join(home(), 'arriving');
    const { port, ended } = await start('127.0.0.1', 20, path);
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.write('token\n');
    writeFileSync(path, content.slice(0, 1000));
    let received = '';
    for await (const chunk of socket) {
      received += String(chunk);
      if (received.length === 1000) appendFileSync(path, content.slice(1000));
    }
    expect(received).toBe(content);
    expect(await ended).toEqual([0, null]);
  });

  it('serves nothing to another host, even with the right token', async () => {
    const { port, ended } = await start('127.0.0.2', 2);
    await download(port, 'token').then(
      (received) => expect(received).toBe(''),
      (error: unknown) => expect(String(error)).toContain('ECONNRESET'),
    );
    expect((await ended)[0]).not.toBe(0);
  });
});

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { PERL_SERVER, PYTHON_SERVER } from '../../../../src/step/transfer/fan-out-program.ts';
import { home } from '../../cli/kubexm.ts';

const programs = [
  { program: 'perl', flag: '-e', text: PERL_SERVER },
  { program: 'python3', flag: '-c', text: PYTHON_SERVER },
].filter(({ program }) => spawnSync(program, ['--version']).status === 0);

const content = 'all of it\n'.repeat(300_000);

describe.each(programs)('the server in $program', ({ program, flag, text }) => {
  const start = async (peer: string, seconds: number) => {
    const path = join(home(), 'file');
    writeFileSync(path, content);
    const child = spawn(program, [flag, text, path, peer, String(seconds)], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end('word');
    const [port] = await once(createInterface({ input: child.stdout }), 'line');
    return { port: Number(port), ended: once(child, 'exit') };
  };
  const ask = async (port: number, word: string) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.write(`${word}\n`);
    let got = '';
    for await (const chunk of socket) got += String(chunk);
    return got;
  };

  it('gives the file to who has the word, once, and nothing to others', async () => {
    const { port, ended } = await start('127.0.0.1', 20);
    expect(await ask(port, 'wrong')).toBe('');
    expect(await ask(port, 'word')).toBe(content);
    expect(await ended).toEqual([0, null]);
    await expect(ask(port, 'word')).rejects.toThrow('ECONNREFUSED');
  });

  it('gives nothing to another host, whatever it says', async () => {
    const { port, ended } = await start('127.0.0.2', 2);
    await ask(port, 'word').then(
      (got) => expect(got).toBe(''),
      (error: unknown) => expect(String(error)).toContain('ECONNRESET'),
    );
    expect((await ended)[0]).not.toBe(0);
  });
});

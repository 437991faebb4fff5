import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSink } from '../../../src/connector/output.ts';
import { connectorIn } from './local-shell.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubexm-exec-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MIB = 1024 * 1024;
const fill = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' x`;
/** Waits until the output of the script takes less space than it has bytes. */
const UNTIL_FREED = `f=$(readlink /proc/$$/fd/1)
until [ $(($(stat -c '%b * %B' "$f"))) -lt ${16 * MIB} ]; do sleep 0.1; done`;
/** A failed comparison prints only the start and end of long output. */
const ends = (text: string) =>
  `${text.slice(0, 12)} … ${text.slice(-12)}, ${text.includes('\0') ? 'holes' : 'no holes'}`;
const ENDS = 'first\nxxxxxx … xxxxxx\nlast\n, no holes';

describe('a supervised script', () => {
  it('gets its input, and returns output and exit code', async () => {
    await using host = connectorIn(folder);
    expect(await host.exec('cat; echo oops >&2; exit 3', { stdin: "it's ü" })).toEqual({
      exit: 3,
      stdout: "it's ü",
      stderr: 'oops\n',
    });
    expect(await host.exec('cat; echo "${s-unset} ${d-unset} $#"')).toEqual({
      exit: 0,
      stdout: 'unset unset 0\n',
      stderr: '',
    });
  });

  it('may be larger than a pipe and contain any text', async () => {
    await using host = connectorIn(folder);
    const text = `${"quote ' and $dollar \\ and EOF\n".repeat(10_000)}end`;
    const { stdout } = await host.exec(`cat <<'STOP'\n${text}\nSTOP`);
    expect(stdout).toBe(`${text}\n`);
  });

  it('leaves nothing behind', async () => {
    await using host = connectorIn(folder);
    await host.exec('echo done');
    await expect.poll(() => readdirSync(join(folder, 'run')), { timeout: 30_000 }).toEqual([]);
  });

  it('with too much output returns its start and end, with a note of what was cut', async () => {
    await using host = connectorIn(folder);
    const { stdout } = await host.exec(`echo first; ${fill(30 * MIB)}; echo; echo last`);
    expect(stdout.length).toBeLessThan(4.1 * MIB);
    expect(ends(stdout)).toBe(ENDS);
    const [, cut] = /\n\[kubexm: (\d+) bytes of output omitted\]\n/.exec(stdout) ?? [];
    expect(Number(cut)).toBeGreaterThan(25 * MIB);
  });

  it('does not fill the disk of the host with its output', async () => {
    await using host = connectorIn(folder);
    const { stdout } = await host.exec(`echo first; ${fill(64 * MIB)}; echo; ${UNTIL_FREED}; echo last`);
    expect(ends(stdout)).toBe(ENDS);
  });

  it('continues after a drop where the output was cut meanwhile', async () => {
    const resume = join(folder, 'resume');
    let dropped = false;
    await using host = connectorIn(folder, (channel) => {
      if (dropped) return;
      let received = 0;
      channel.stdout.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received < 5 * MIB || dropped) return;
        dropped = true;
        channel.close();
        execFileSync('touch', [resume]);
      });
    });
    const script = `echo first; ${fill(6 * MIB)}; until [ -e ${resume} ]; do sleep 0.1; done
${fill(64 * MIB)}; echo; ${UNTIL_FREED}; echo last`;
    const { exit, stdout } = await host.exec(script, { onLine: () => {} });
    expect(dropped).toBe(true);
    expect(exit).toBe(0);
    expect(ends(stdout)).toBe(ENDS);
  });

  it('ends although a process that it started keeps its output open', async () => {
    await using host = connectorIn(folder);
    const { stdout } = await host.exec('sleep 600 & echo $!');
    process.kill(Number(stdout));
  });

  it('leaves no process that limits its output', async () => {
    await using host = connectorIn(folder);
    await host.exec(`${fill(32 * MIB)}; ${UNTIL_FREED}`);
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const running = () => processes.filter((pid) => readable(`/proc/${pid}/cmdline`).includes(folder));
    await expect.poll(running, { timeout: 30_000 }).toEqual([]);
  });
});

function readable(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

describe('output', () => {
  it('without newlines is collected in linear time, and its lines are cut', () => {
    const lines: string[] = [];
    const sink = createSink('stdout', (line) => lines.push(line));
    const chunk = Buffer.alloc(32 * 1024, 'x');
    const start = performance.now();
    for (let sent = 0; sent < 64 * MIB; sent += chunk.length) sink.write(chunk);
    sink.write(Buffer.from('\nshort\n'));
    sink.text();
    // Less than 1 s; searching the line from its start for each chunk takes minutes.
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^x{65536} \[kubexm: \d+ characters omitted\]$/);
    expect(lines[1]).toBe('short');
  });

  it.each([0, 1, 9, 10, 11, 19, 20, 21, 50])('of %i bytes is kept, or its start and end', (size) => {
    const text = 'abcdefghijklmnopqrstuvwxyz'.repeat(2).slice(0, size);
    const all = Buffer.from(text);
    const whole = createSink('stdout', undefined, 10);
    whole.write(all);
    const single = createSink('stdout', undefined, 10);
    for (const byte of all) single.write(Buffer.from([byte]));
    const expected =
      size <= 20 ? text : `${text.slice(0, 10)}\n[kubexm: ${size - 20} bytes of output omitted]\n${text.slice(-10)}`;
    expect([whole.text(), single.text()]).toEqual([expected, expected]);
    expect(whole.length()).toBe(size);
  });

  it('that the host did not keep is counted and noted', () => {
    const lines: string[] = [];
    const sink = createSink('stdout', (line) => lines.push(line), 10);
    sink.write(Buffer.from('start\n'));
    sink.skip(1000);
    sink.write(Buffer.from('end\n'));
    expect(sink.length()).toBe(1010);
    expect(lines).toEqual(['start', '', '[kubexm: 1000 bytes of output omitted]', 'end']);
  });
});

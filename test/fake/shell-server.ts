import type { ServerChannel } from 'ssh2';
import { Readable } from 'node:stream';

/** The result of a script. */
export interface Answer {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A file that is uploaded to a host. */
export interface Upload {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly mode: string;
  readonly owner: string;
}

/** What runs the scripts of a host: a real machine, or answers from memory. */
export interface Backend {
  readonly bootId: string;
  query(script: string): Promise<Answer>;
  exec(script: string, stdin: string | undefined): Promise<Answer>;
  upload(file: Upload, content: Readable): Promise<'same' | 'done'>;
}

/** The server side of the scripts that the connector sends: queries, supervised scripts and uploads. */
export function serveShell(channel: ServerChannel, command: string, backend: Backend): void {
  const [, marker = ''] = /echo ([0-9a-f]{32}) \$b/.exec(command) ?? [];
  const close = () => {
    channel.exit(0);
    channel.end();
  };
  let isInput = false;
  let held: Buffer = Buffer.alloc(0);
  const input = new Readable({ read: () => void channel.resume() });
  const serve = async (script: string) => {
    const isLast = script.endsWith(`\nexit\n#${marker}`);
    if (isLast) {
      isInput = true;
      input.push(held);
    }
    await run(script, input, channel, backend);
    if (isLast) close();
  };
  channel.on('error', () => {});
  channel.on('data', (chunk: Buffer) => {
    if (isInput) return void (input.push(chunk) || channel.pause());
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const newline = held.indexOf(10);
    const end = newline + 1 + Number(held.toString('latin1', 0, Math.max(newline, 0)));
    if (newline < 0 || held.length < end) return;
    const script = held.toString('utf8', newline + 1, end);
    held = held.subarray(end);
    void serve(script).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      channel.close();
    });
  });
  channel.on('end', () => input.push(null));
  // A shell that waits for its next script may never get one.
  channel.on('end', () => void (isInput || close()));
  channel.write(`${marker} ${backend.bootId}\n`);
  channel.stderr.write(`${marker}\n`);
}

async function run(script: string, input: Readable, channel: ServerChannel, backend: Backend): Promise<void> {
  if (script.includes('\nkubexm_query() {')) return answerQueries(script, channel, backend);
  if (/^mark=/m.test(script)) return superviseScript(script, input, channel, backend);
  if (script.includes('\nreport() {') && script.includes('report go')) return receive(script, input, channel, backend);
  throw new Error(`unknown kind of script: ${script.slice(0, 200)}`);
}

async function answerQueries(script: string, channel: ServerChannel, backend: Backend): Promise<void> {
  const [, marker = ''] = /printf '%s %s\\n' (\w+) \$\?/.exec(script) ?? [];
  const queries: string[] = [];
  const start = /^kubexm_query /gm;
  start.lastIndex = script.indexOf('\n', script.indexOf('kubexm_query() {'));
  for (let match = start.exec(script); match; match = start.exec(script)) {
    const { word, end } = unquote(script, start.lastIndex);
    queries.push(word);
    start.lastIndex = end;
  }
  const answers = await Promise.all(queries.map((query) => backend.query(query)));
  channel.write(answers.map(({ exit, stdout }) => `${stdout}${marker} ${exit}\n`).join(''));
  channel.stderr.write(answers.map(({ stderr }) => `${stderr}${marker}\n`).join(''));
}

async function superviseScript(script: string, input: Readable, channel: ServerChannel, backend: Backend) {
  const [, marker = ''] = /^mark=(\w+)/m.exec(script) ?? [];
  const at = script.indexOf('{ printf %s ');
  if (at < 0) throw new Error('a script that was started before cannot be followed');
  const { word, end } = unquote(script, at + '{ printf %s '.length);
  const rest = script.slice(end, end + 200);
  const stdin = rest.startsWith('; printf %s ')
    ? Buffer.from(unquote(script, end + '; printf %s '.length).word, 'base64').toString()
    : undefined;
  channel.write(`${marker} started 1\n`);
  const { exit, stdout, stderr } = await backend.exec(word.slice(0, word.lastIndexOf('\n#')), stdin);
  channel.write(`${stdout}${marker} exit ${exit}\n`);
  channel.stderr.write(`${stderr}${marker} exit\n`);
  for await (const chunk of input) if (/done|stop/.test(String(chunk))) return;
}

async function receive(script: string, input: Readable, channel: ServerChannel, backend: Backend): Promise<void> {
  const [, marker = ''] = /printf '%s %s\\n' (\w+) /.exec(script) ?? [];
  const value = (name: string) => unquote(script, new RegExp(`(?:^|; )${name}=`, 'm').exec(script)!).word;
  const file: Upload = {
    path: value('t'),
    size: Number(value('size')),
    sha256: value('sha256'),
    mode: value('mode'),
    owner: value('owner'),
  };
  channel.write(`${marker} go 0\n`);
  channel.write(`${marker} ${await backend.upload(file, input)}\n`);
}

/** Reads a shell word that starts at an offset or after a match. */
function unquote(text: string, from: number | RegExpExecArray): { readonly word: string; readonly end: number } {
  let at = typeof from === 'number' ? from : from.index + from[0].length;
  let word = '';
  for (;;) {
    if (text[at] === "'") {
      const close = text.indexOf("'", at + 1);
      word += text.slice(at + 1, close);
      at = close + 1;
    } else if (text[at] === '\\') {
      word += text[at + 1];
      at += 2;
    } else if (at >= text.length || /[\s;|&)}]/.test(text[at]!)) {
      return { word, end: at };
    } else {
      word += text[at];
      at += 1;
    }
  }
}

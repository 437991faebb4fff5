import { createHash, randomUUID } from 'node:crypto';
import type { Recording } from './recording.ts';
import { withoutFence } from './recording.ts';
import type { Answer, Backend } from '../../test/fake/shell-server.ts';

/** A simulated host. */
export interface MemoryHost {
  readonly name: string;
  /** The address of its SSH server. */
  readonly address: string;
  /** The address in the cluster network. */
  readonly internalAddress: string;
}

interface StoredFile {
  readonly content: string | undefined;
  readonly size: number;
  readonly sha256: string;
  readonly mode: number;
  readonly owner: string;
}

/**
 * Answers as the recorded machine did, under its own name and address. Files that are written to it are kept in memory;
 * scripts that the recorded machine never got succeed without output.
 */
export function memoryBackend(host: MemoryHost, recording: Recording, onUnknown: (script: string) => void): Backend {
  const files = new Map<string, StoredFile>();
  const bootId = randomUUID();
  let lockNumber = 0;
  const toRecorded = replacer([
    [host.name, recording.name],
    [host.internalAddress, recording.address],
  ]);
  const fromRecorded = replacer([
    [recording.name, host.name],
    [recording.address, host.internalAddress],
  ]);
  const recorded = (script: string): Answer | undefined => {
    const own = toRecorded(withoutFence(script));
    const { worker } = recording;
    const [asked] = (worker !== undefined && WORKER.exec(own)) || [];
    if (asked === undefined || worker === undefined) return translated(recording.answers[own], fromRecorded);
    const answer = recording.answers[replacer([[asked, worker]])(own)];
    return translated(answer, replacer([[worker, asked]]));
  };
  const answerOf = (script: string): Answer => {
    const answer = recorded(script);
    if (!answer) onUnknown(toRecorded(withoutFence(script)));
    return answer ?? ok(defaultOutput(script));
  };
  const lock = (script: string): Answer | undefined => {
    if (script.includes('echo "taken $next"')) return ok(`taken ${++lockNumber}\n`);
    if (script.includes('echo kept')) return ok('kept\n');
    return script.includes('echo released') ? ok('released\n') : undefined;
  };
  const file = (script: string): Answer | undefined => {
    const [, begin = '', end = '', edited = '', checksum] = BLOCK.exec(script) ?? [];
    if (checksum !== undefined) return blockDigest(files.get(edited)?.content, begin, end) === checksum ? ok('') : NO;
    const [, path = ''] = PATH.exec(script) ?? [];
    if (path === '') return undefined;
    const found = files.get(unquoted(path));
    if (!found) return recorded(script) ?? { exit: NOT_FOUND, stdout: '', stderr: '' };
    if (script.startsWith('p=')) return ok(`${statLine(found, recorded(script)?.stdout ?? '')}\n`);
    if (script.includes('sha256_of')) return ok(`${found.sha256}\n`);
    return found.content === undefined ? undefined : ok(found.content);
  };
  const facts = (script: string): Answer | undefined => {
    if (!script.includes('at machine-id')) return undefined;
    const { stdout, ...rest } = answerOf(script);
    const section = (text: string, name: string, value: string) =>
      text.replace(new RegExp(`^(== ${name}\n).*$`, 'm'), `$1${value}`);
    const machineId = createHash('md5').update(host.name).digest('hex');
    const unique = section(section(stdout, 'machine-id', machineId), 'product-uuid', randomUUID());
    return { ...rest, stdout: section(section(unique, 'boot-id', bootId), 'clock', String(Date.now() / 1000)) };
  };
  return {
    bootId,
    async query(script) {
      if (script === 'date +%s%3N') return ok(`${Date.now()}\n`);
      return lock(script) ?? file(script) ?? facts(script) ?? answerOf(script);
    },
    async exec(fenced, stdin) {
      const script = withoutFence(fenced);
      const [, path, owner = '', mode = ''] = WRITE.exec(script) ?? [];
      if (path === undefined) return lock(script) ?? answerOf(script);
      files.set(unquoted(path), stored(stdin ?? '', Number.parseInt(mode, 8), owner));
      return ok('');
    },
    async upload({ path, size, sha256, mode, owner }, content) {
      let left = size;
      if (left > 0) for await (const chunk of content) if ((left -= chunk.length) <= 0) break;
      files.set(path, { content: undefined, size, sha256, mode: Number.parseInt(mode, 8), owner });
      return 'done';
    },
  };
}

/** Unknown units do not exist, and all packages are installed. */
function defaultOutput(script: string): string {
  if (script.includes('systemctl show')) return 'LoadState=not-found\nActiveState=inactive\nSubState=dead\n';
  const [, packages] = /^dpkg-query -W -f='[^']*' (.+) 2>/.exec(script) ?? [];
  return packages === undefined ? '' : packages.replaceAll(/(\S+) ?/g, '$1\t1.0\tii \n');
}

/** The exit code of path queries for a path that does not exist. */
const NOT_FOUND = 44;

const ok = (stdout: string): Answer => ({ exit: 0, stdout, stderr: '' });
const NO: Answer = { exit: 1, stdout: '', stderr: '' };

const translated = (answer: Answer | undefined, to: (text: string) => string): Answer | undefined =>
  answer && { ...answer, stdout: to(answer.stdout), stderr: to(answer.stderr) };

/** The name of a simulated worker. */
const WORKER = /(?<![\w.-])w\d{4,}(?![\w-])/;

/** The path of a stat, read or sha256 query. */
const PATH = /^(?:p=|\{ \[ -e )('[^']*'|[^\s;]+)(?:; \[ -e "\$p" \]| \] && \[ ! -d)/;
/** The check of a block of lines: its first and last line, the path and the checksum. */
const BLOCK = /^\[ "\$\(sed -n '\/\^(.*?)\$\/,\/\^(.*?)\$\/p' (\S+) \| sha256sum\)" = '(\w+) {2}-' \]/;
const WRITE = /^umask 077; t=\S+; p=('[^']*'|\S+)\n[^]*?chown (\S+) "\$p" && chmod (\d+) "\$p"/;

const unquoted = (word: string) => word.replaceAll("'", '');

// Equal contents of many hosts are kept once.
const contents = new Map<string, string>();
function stored(text: string, mode: number, owner: string): StoredFile {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const content = contents.get(sha256) ?? text;
  contents.set(sha256, content);
  return { content, size: Buffer.byteLength(text), sha256, mode, owner };
}

/** The checksum of the lines from `begin` to `end`; computed once for the equal contents of many hosts. */
function blockDigest(content: string | undefined, begin: string, end: string): string | undefined {
  if (content === undefined) return undefined;
  const known = digests.get(content);
  if (known !== undefined) return known;
  const block = content.slice(content.indexOf(begin), content.indexOf(end) + end.length);
  const digest = createHash('sha256').update(`${block}\n`).digest('hex');
  digests.set(content, digest);
  return digest;
}
const digests = new Map<string, string>();

/** Keeps the recorded modification time, so that services do not look older than their files. */
function statLine({ size, mode, owner }: StoredFile, recorded: string): string {
  const [, , mtime = '1.000'] = recorded.split(' ');
  const [user = 'root', group = 'root'] = owner.split(':');
  return `${(0o100000 | mode).toString(16)} ${size} ${mtime} ${user} ${group} 0 0`;
}

/** Replaces whole words. */
function replacer(pairs: readonly (readonly [string, string])[]): (text: string) => string {
  const escaped = pairs.map(([from]) => from.replaceAll('.', String.raw`\.`));
  const words = new RegExp(`(?<![\\w.-])(?:${escaped.join('|')})(?![\\w-]|\\.\\d)`, 'g');
  const to = new Map(pairs);
  return (text) => text.replace(words, (word) => to.get(word) ?? word);
}

import { readFile } from 'node:fs/promises';
import { fail } from '../../common/errors/errors.ts';
import { Secret } from '../../common/secret.ts';
import type { SecretSource } from '../../config/model/secret-source.ts';
import { runProgram } from '../../connector/program.ts';
import { expandHome } from '../../util/expand-home.ts';

/** Finds the secret that a cluster file refers to; `field` says where, for the error. */
export async function resolveSecret(source: SecretSource, field: string): Promise<Secret> {
  switch (source.type) {
    case 'value':
      return source.value;
    case 'env':
      return given(process.env[source.name], field, `the environment variable ${source.name} is not set`);
    case 'file':
      return given(await readSecret(source.path), field, `the file ${source.path} cannot be read or is empty`);
    case 'exec':
      return given(
        await runSecret(source.command),
        field,
        `the command \`${source.command}\` failed or printed nothing`,
      );
  }
}

function given(text: string | undefined, field: string, reason: string): Secret {
  const value = text?.replace(/\r?\n$/, '');
  if (!value) throw fail('SECRET_MISSING', { field, reason });
  return new Secret(value);
}

const readSecret = (path: string) => readFile(expandHome(path), 'utf8').catch(() => undefined);

async function runSecret(command: string): Promise<string | undefined> {
  const { exit, stdout } = await runProgram(['/bin/sh', '-c', command]);
  return exit === 0 ? stdout : undefined;
}

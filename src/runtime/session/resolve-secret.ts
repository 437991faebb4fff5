import { readFile } from 'node:fs/promises';
import { fail } from '../../common/errors/errors.ts';
import { Secret } from '../../common/secret.ts';
import type { SecretSource } from '../../config/model/secrets.ts';
import { runProgram } from '../../connector/program.ts';
import { expandHome } from '../../common/home.ts';

/** Resolves a secret referenced in the cluster file; `field` names it in the error. */
export async function resolveSecret(source: SecretSource, field: string): Promise<Secret> {
  switch (source.type) {
    case 'value':
      return source.value;
    case 'env':
      return secretFrom(process.env[source.name], field, `the environment variable ${source.name} is not set`);
    case 'file':
      return secretFrom(await readSecret(source.path), field, `the file ${source.path} cannot be read or is empty`);
    case 'exec':
      return secretFrom(
        await runSecret(source.command),
        field,
        `the command \`${source.command}\` failed or printed nothing`,
      );
  }
}

function secretFrom(text: string | undefined, field: string, reason: string): Secret {
  const value = text?.replace(/\r?\n$/, '');
  if (!value) throw fail('SECRET_MISSING', { field, reason });
  return new Secret(value);
}

const readSecret = (path: string) => readFile(expandHome(path), 'utf8').catch(() => undefined);

async function runSecret(command: string): Promise<string | undefined> {
  const { exit, stdout } = await runProgram(['/bin/sh', '-c', command]);
  return exit === 0 ? stdout : undefined;
}

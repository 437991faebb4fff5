import { Secret } from '../../common/secret.ts';

/** Where a secret comes from. Only the moment of use turns it into text. */
export type SecretSource =
  | { readonly type: 'value'; readonly value: Secret }
  | { readonly type: 'env'; readonly name: string }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'exec'; readonly command: string };

type Written = string | { readonly env: string } | { readonly file: string } | { readonly exec: string };

export function toSecretSource(written: Written): SecretSource {
  if (typeof written === 'string') return { type: 'value', value: new Secret(written) };
  if ('env' in written) return { type: 'env', name: written.env };
  if ('file' in written) return { type: 'file', path: written.file };
  return { type: 'exec', command: written.exec };
}

/** As it stands in a cluster file; `show` decides whether a literal value is written out or masked. */
export function writeSecretSource(source: SecretSource, show: (secret: Secret) => string): Written {
  switch (source.type) {
    case 'value':
      return show(source.value);
    case 'env':
      return { env: source.name };
    case 'file':
      return { file: source.path };
    case 'exec':
      return { exec: source.command };
  }
}

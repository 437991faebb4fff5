import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

/** Who may import whom; a layer may always import itself. Nothing points up. */
const layers: Readonly<Record<string, readonly string[]>> = {
  cli: ['pipeline', 'runtime', 'engine', 'resource', 'state', 'config', 'lab', 'connector', 'common', 'util'],
  runtime: [
    'pipeline',
    'module',
    'task',
    'resource',
    'plan',
    'engine',
    'step',
    'template',
    'runner',
    'connector',
    'cache',
    'pki',
    'state',
    'config',
    'common',
    'util',
  ],
  pipeline: ['module', 'plan', 'config', 'common'],
  module: ['task', 'plan', 'config', 'common'],
  task: ['step', 'plan', 'config', 'common'],
  engine: ['plan', 'step', 'cache', 'common', 'util'],
  plan: ['step', 'common'],
  step: ['runner', 'template', 'cache', 'resource', 'pki', 'config', 'common', 'util'],
  template: ['config', 'common', 'util'],
  runner: ['connector', 'common', 'util'],
  resource: ['config', 'common', 'util'],
  pki: ['common', 'util'],
  lab: ['connector', 'common', 'util'],
  connector: ['common'],
  cache: ['common'],
  config: ['common'],
  state: ['common', 'util'],
  util: ['common'],
  common: [],
};

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);
const texts = new Map(sources.map((file) => [file, readFileSync(`src/${file}`, 'utf8')]));
const imported = sources.flatMap((file) =>
  [...texts.get(file)!.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => ({ file, from: match[1]! })),
);
const imports = imported
  .filter(({ from }) => from.startsWith('.'))
  .map(({ file, from }) => ({ file, to: join(dirname(file), from) }));
const layerOf = (file: string) => file.split('/')[0]!;

it('looks at the whole source', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(imports.length).toBeGreaterThan(250);
  expect(imports.filter(({ to }) => !texts.has(to) && !to.endsWith('.json'))).toEqual([]);
});

it('knows every layer', () =>
  expect([...new Set(sources.map(layerOf))].filter((layer) => !(layer in layers))).toEqual([]));

it.each(Object.entries(layers))('%s imports only %j', (layer, allowed) => {
  expect(
    imports.filter(({ file, to }) => layerOf(file) === layer && ![layer, ...allowed].includes(layerOf(to))),
  ).toEqual([]);
});

/** The folders of src/config. The model does not depend on how a cluster file is parsed. */
const configFolders: Readonly<Record<string, readonly string[]>> = {
  load: ['rules', 'alias', 'schema', 'source', 'diagnostic', 'model', 'value'],
  draft: ['schema', 'model', 'value', 'data'],
  rules: ['schema', 'source', 'diagnostic', 'model', 'value', 'data'],
  alias: ['schema', 'source'],
  schema: ['model', 'value', 'data'],
  source: ['diagnostic', 'model'],
  model: ['data'],
  diagnostic: [],
  value: [],
  data: [],
};

it.each(Object.entries(configFolders))('config/%s imports only %j of config', (folder, allowed) => {
  const folderOf = (file: string) => /^config\/([^/]+)\//.exec(file)?.[1];
  const found = imports.filter(({ file, to }) => folderOf(file) === folder && layerOf(to) === 'config');
  expect(found.filter(({ to }) => ![folder, ...allowed].includes(folderOf(to) ?? ''))).toEqual([]);
  expect(sources.filter((file) => layerOf(file) === 'config').every((file) => folderOf(file)! in configFolders)).toBe(
    true,
  );
});

it('has no cycles, but for types', () => {
  const runtime = sources.flatMap((file) =>
    [...texts.get(file)!.matchAll(/^import (?!type)[^;]*?from '(\.[^']+)'/gm)].map(
      (match) => [file, join(dirname(file), match[1]!)] as const,
    ),
  );
  const next = (file: string) => runtime.filter(([from]) => from === file);
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[], seen: Set<string>) => {
    if (trail.includes(file)) return void cycles.push([...trail.slice(trail.indexOf(file)), file].join(' > '));
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, to] of next(file)) visit(to, [...trail, file], seen);
  };
  const seen = new Set<string>();
  for (const file of sources) visit(file, [], seen);
  expect(cycles).toEqual([]);
});

describe('everywhere', () => {
  const using = (pattern: RegExp) => imported.filter(({ from }) => pattern.test(from)).map(({ file }) => layerOf(file));

  it('starts programs and opens SSH only in the connector', () => {
    expect(new Set(using(/^(node:)?child_process$|^ssh2$/))).toEqual(new Set(['connector']));
  });
  it('has no default exports, enums, namespaces, any or TODO', () => {
    const found = [...texts].filter(([, text]) =>
      /^export default|^(export )?(const )?enum |^(export )?namespace |: any\b|as any\b|TODO|FIXME/m.test(text),
    );
    expect(found.map(([file]) => file)).toEqual([]);
  });
  it('has no barrel files', () => {
    expect(sources.filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual([]);
    expect([...texts].filter(([, text]) => /^export (\*|\{[^}]*\}) from/m.test(text)).map(([file]) => file)).toEqual(
      [],
    );
  });
  it('keeps files short', () => {
    expect([...texts].filter(([, text]) => text.split('\n').length > 260).map(([file]) => file)).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

/** The layers that each layer may import besides itself. No import points up. */
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
    'kubernetes-api',
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
  task: ['step', 'plan', 'resource', 'config', 'common'],
  engine: ['plan', 'step', 'cache', 'common', 'util'],
  plan: ['step', 'common'],
  step: ['runner', 'kubernetes-api', 'template', 'cache', 'resource', 'pki', 'config', 'common', 'util'],
  template: ['config', 'common', 'util'],
  runner: ['connector', 'common', 'util'],
  'kubernetes-api': ['connector', 'common', 'util'],
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

it('reads the whole source', () => {
  const statements = sources.map((file) => [
    ...texts.get(file)!.matchAll(/^import\b|^export .* from '|\bimport\(\s*'/gm),
  ]);
  expect(sources).toContain('cli/entry.ts');
  expect(imported.length).toBe(statements.flat().length);
  expect(imports.filter(({ to }) => !texts.has(to) && !to.endsWith('.json'))).toEqual([]);
});

it('lists every layer', () =>
  expect([...new Set(sources.map(layerOf))].filter((layer) => !(layer in layers))).toEqual([]));

it.each(Object.entries(layers))('%s imports only %j', (layer, allowed) => {
  expect(
    imports.filter(({ file, to }) => layerOf(file) === layer && ![layer, ...allowed].includes(layerOf(to))),
  ).toEqual([]);
});

/** Folders of one layer, each with the folders of that layer that it may import. */
const folders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // The model does not depend on how a cluster file is parsed.
  config: {
    load: ['rules', 'alias', 'schema', 'source', 'diagnostic', 'model', 'value'],
    draft: ['schema', 'model', 'value', 'data'],
    edit: ['schema', 'source', 'diagnostic', 'value'],
    rules: ['schema', 'source', 'diagnostic', 'model', 'value', 'data'],
    alias: ['schema', 'source'],
    schema: ['model', 'value', 'data'],
    source: ['diagnostic', 'model'],
    model: ['data'],
    diagnostic: [],
    value: [],
    data: [],
  },
  runtime: {
    inspect: ['health', 'probe', 'plan', 'history', 'session'],
    health: ['probe', 'session'],
    membership: ['probe', 'session'],
    offline: ['plan', 'session'],
    run: ['plan', 'history', 'session'],
    plan: ['session'],
    probe: ['session'],
    history: [],
    session: [],
  },
};

describe.each(Object.entries(folders))('%s', (layer, table) => {
  const folderOf = (file: string) => (layerOf(file) === layer ? file.split('/').slice(1, -1)[0] : undefined);

  it('has exactly these folders', () => {
    const found = new Set(sources.filter((file) => layerOf(file) === layer).map((file) => folderOf(file) ?? '.'));
    expect([...found].toSorted()).toEqual(Object.keys(table).toSorted());
  });

  it.each(Object.entries(table))('%s imports only %j', (folder, allowed) => {
    const found = imports.filter(({ file, to }) => folderOf(file) === folder && layerOf(to) === layer);
    expect(found.filter(({ to }) => ![folder, ...allowed].includes(folderOf(to) ?? ''))).toEqual([]);
  });
});

describe('step', () => {
  /** The folders that components share. Each may import only those before it. */
  const shared = [
    'contract',
    'common',
    'transfer',
    'kubernetes-object',
    'container-runtime/shared',
    'host-requirements',
  ] as const;
  /** Restores the parts of every component by their keys, so it is above all of them. */
  const top = 'undo';
  const folderOf = (file: string) =>
    file
      .split('/')
      .slice(1, file.startsWith('step/container-runtime/') ? 3 : 2)
      .join('/');
  const between = imports
    .filter(({ file, to }) => layerOf(file) === 'step' && layerOf(to) === 'step')
    .map((each) => ({ ...each, from: folderOf(each.file), into: folderOf(each.to) }))
    .filter(({ from, into }) => from !== into);
  const isShared = (folder: string) => shared.some((one) => one === folder);

  it('has all shared folders that are listed here', () =>
    expect(shared.filter((folder) => !sources.some((file) => folderOf(file) === folder))).toEqual([]));

  it('has shared folders that import only those before them', () => {
    const order = shared.map((folder): string => folder);
    expect(
      between.filter(({ from, into }) => isShared(from) && !order.slice(0, order.indexOf(from)).includes(into)),
    ).toEqual([]);
  });

  it('has components that do not import each other', () => {
    expect(between.length).toBeGreaterThan(300);
    expect(between.filter(({ from, into }) => !isShared(from) && from !== top && !isShared(into))).toEqual([]);
  });
});

describe('task', () => {
  const imported = imports.filter(({ file, to }) => layerOf(file) === 'task' && layerOf(to) === 'step');

  it('uses component steps, not generic ones', () => {
    expect(imported.length).toBeGreaterThan(100);
    expect(imported.filter(({ to }) => to.startsWith('step/common/'))).toEqual([]);
    expect(imported.filter(({ to }) => to.startsWith('step/contract/') && to !== 'step/contract/step.ts')).toEqual([]);
  });

  const exported = (layer: string, define: RegExp) =>
    [...texts]
      .filter(([file]) => layerOf(file) === layer)
      .flatMap(([file, text]) => [...text.matchAll(define)].map((match) => ({ file, name: match[1]! })));
  const tasks = exported('task', /^export const (\w+) = (?:defineTask|runtimeTasks)\b/gm);
  const modules = exported('module', /^export const (?!define)(\w+Module)\b/gm);
  const pipelines = exported('pipeline', /^export const (?!define)(\w+Pipeline)\b/gm);
  const isUsedIn = (name: string, isUser: (layer: string) => boolean) =>
    [...texts].some(([file, text]) => isUser(layerOf(file)) && new RegExp(`\\b${name}\\b`).test(text));

  it('is used by a module, each module by a pipeline, and each pipeline by a command', () => {
    expect([tasks.length, modules.length, pipelines.length].every((count) => count > 8)).toBe(true);
    // Modules use all rows of this table.
    const table = texts.get('task/container-runtime/runtimes.ts')!;
    const rows = new Set([...table.matchAll(/\b(\w+),$/gm)].map((match) => match[1]));
    expect(tasks.filter(({ name }) => !rows.has(name) && !isUsedIn(name, (layer) => layer === 'module'))).toEqual([]);
    expect(modules.filter(({ name }) => !isUsedIn(name, (layer) => layer === 'pipeline'))).toEqual([]);
    expect(pipelines.filter(({ name }) => !isUsedIn(name, (layer) => layer === 'cli' || layer === 'runtime'))).toEqual(
      [],
    );
  });

  /** Tasks whose work is undone with something else. */
  const undoneOtherwise: Readonly<Record<string, string>> = {
    installCni: 'Kubernetes objects are deleted with the cluster',
    installCoreDns: 'Kubernetes objects are deleted with the cluster',
    installNodeLocalDns: 'Kubernetes objects are deleted with the cluster',
    installStorage: 'by uninstallAddons, or with the cluster',
    installIngress: 'by uninstallAddons, or with the cluster',
    installMonitoring: 'by uninstallAddons, or with the cluster',
  };

  it('is undone by another task in the same file', () => {
    const opposites = {
      install: 'uninstall',
      setup: 'remove',
      prepareOs: 'restoreOs',
      sync: 'restore',
      provide: 'withdraw',
    };
    const withoutOpposite = tasks.flatMap(({ file, name }) => {
      const [verb, opposite] = Object.entries(opposites).find(([each]) => name.startsWith(each)) ?? [];
      if (verb === undefined || opposite === undefined || name in undoneOtherwise) return [];
      const other = name.replace(verb, opposite);
      return tasks.some((task) => task.file === file && task.name === other) ? [] : [`${file}: ${name}`];
    });
    expect(withoutOpposite).toEqual([]);
  });
});

it.each(['pipeline', 'module', 'task'])('%s: a domain does not import another', (layer) => {
  const shared = new Set([`${layer}/${layer}.ts`, 'task/host-groups.ts']);
  const domainOf = (file: string) => file.split('/')[1];
  const within = imports.filter(({ file, to }) => layerOf(file) === layer && layerOf(to) === layer);
  expect(within.length).toBeGreaterThan(4);
  expect(within.filter(({ file, to }) => !shared.has(to) && domainOf(file) !== domainOf(to))).toEqual([]);
});

it('has no import cycles, not even of types', () => {
  // Dynamic imports may point back: `generate docs` loads the list of all commands, which contains it.
  const next = new Map(
    [...texts].map(([file, text]) => [
      file,
      [...text.matchAll(/\bfrom '(\.[^']+)'/g)].map((match) => join(dirname(file), match[1]!)),
    ]),
  );
  const cycles: string[] = [];
  const seen = new Set<string>();
  const visit = (file: string, trail: readonly string[]) => {
    if (trail.includes(file)) return void cycles.push([...trail.slice(trail.indexOf(file)), file].join(' > '));
    if (seen.has(file)) return;
    seen.add(file);
    for (const to of next.get(file) ?? []) visit(to, [...trail, file]);
  };
  for (const file of sources) visit(file, []);
  expect(cycles).toEqual([]);
});

describe('everywhere', () => {
  const using = (pattern: RegExp) => imported.filter(({ from }) => pattern.test(from)).map(({ file }) => layerOf(file));

  it('starts programs and opens SSH only in the connector', () => {
    expect(new Set(using(/^(node:)?child_process$|^ssh2$/))).toEqual(new Set(['connector']));
  });
  it('has no default exports, enums, namespaces, any or TODO', () => {
    const found = [...texts].filter(([, text]) =>
      /^export default|^(export )?(const )?enum |^(export )?namespace |(: |as )any\b(?! [a-z])|TODO|FIXME/m.test(text),
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

describe.each(['docs/architecture.md', 'CONTRIBUTING.md'])('%s', (page) => {
  const text = readFileSync(page, 'utf8');
  /** Without the part that stands for a name, as in `src/step/<component>`. */
  const fixedPart = (path: string) => path.replace(/[^/]*[<*].*$/, '').replace(/[/.]+$/, '');

  it('names only paths that exist', () => {
    const paths = [...text.matchAll(/\b(?:src|test|bin|docs|scripts|examples|schema|bench)\/[\w./<>*-]*/g)].map(
      ([path]) => fixedPart(path),
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('writes paths from the root of the repository', () => {
    const files = [...text.matchAll(/`([\w.-]+\/[\w./-]*\.ts)`/g)].map((match) => match[1]!);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

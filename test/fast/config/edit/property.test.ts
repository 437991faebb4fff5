import fc from 'fast-check';
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Role } from '../../../../src/common/host.ts';
import type { Addition } from '../../../../src/config/edit/add-hosts.ts';
import { check, lines } from '../check.ts';
import { added, removed } from './edit.ts';

it('adds hosts, with no other change, so that removing them restores the text', () => {
  fc.assert(
    fc.property(clusterText(), additions(), (text, more) => {
      const before = check(text).cluster!;
      const longer = added(text, ...more);
      const after = check(longer).cluster!;
      expect(lines(check(longer))).toEqual([]);
      expect(after.hosts.slice(0, before.hosts.length)).toEqual(before.hosts);
      expect({ ...after, hosts: [] }).toEqual({ ...before, hosts: [] });
      expect(
        after.hosts.slice(before.hosts.length).map(({ name, login, roles }) => [name, login.address, roles]),
      ).toEqual(more.map(({ name, fields, roles }) => [name, fields?.address, roles]));
      expect(commentsOf(longer)).toEqual(commentsOf(text));
      expect(removed(longer, ...more.map(({ name }) => name))).toBe(text);
      expect(more.toReversed().reduce((each, { name }) => removed(each, name), longer)).toBe(text);
    }),
    { numRuns: 100 },
  );
});

it('removes hosts with no other change', () => {
  fc.assert(
    fc.property(clusterText(), fc.subarray(['node2', 'node3', 'node4', 'node5', 'node6']), (text, names) => {
      const before = check(text).cluster!;
      const present = names.filter((name) => before.hosts.some((host) => host.name === name));
      const shorter = removed(text, ...present);
      expect(lines(check(shorter))).toEqual([]);
      const after = check(shorter).cluster!;
      expect(after).toEqual({ ...before, hosts: before.hosts.filter(({ name }) => !present.includes(name)) });
      expect(commentsOf(shorter).filter((comment) => !commentsOf(text).includes(comment))).toEqual([]);
      expect(linesKept(text, shorter)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

it.each(readdirSync('examples').filter((name) => name.endsWith('.yaml')))('edits examples/%s', (name) => {
  const text = readFileSync(`examples/${name}`, 'utf8');
  const addition: Addition = { name: 'extra', roles: ['worker'], fields: { address: '198.51.100.99' } };
  const longer = added(text, addition);
  const last = check(longer).cluster?.hosts.at(-1);
  expect(last?.login.address ?? '198.51.100.99').toBe('198.51.100.99');
  expect(removed(longer, 'extra')).toBe(text);
});

/** Comments in the order of the file. */
const commentsOf = (text: string) => [...text.matchAll(/(?<=^|[\n ])#.*$/gm)].map(([comment]) => comment);

/** Whether `shorter` has no line with words that `text` does not have. */
const linesKept = (text: string, shorter: string) => {
  const words = new Set(text.split(/[\s,[\]'"]+/));
  return shorter
    .split(/[\s,[\]'"]+/)
    .every((word) => word === '' || words.has(word) || /^node$|^\d+:\d+$|^node\d+$/.test(word));
};

function additions(): fc.Arbitrary<readonly Addition[]> {
  const roles = fc.constantFrom<readonly Role[]>(['worker'], ['etcd'], ['etcd', 'worker']);
  const name = fc.constantFrom('node', 'extra', 'true');
  return fc.array(fc.record({ roles, name }), { minLength: 1, maxLength: 3 }).map((all) =>
    all.map(({ roles: own, name: prefix }, index) => ({
      name: prefix === 'true' && index === 0 ? 'true' : `${prefix === 'true' ? 'x' : prefix}${index + 11}`,
      roles: own,
      fields: { address: `10.1.0.${index + 1}` },
    })),
  );
}

/** Valid cluster files in many styles. The first host is the only master. */
function clusterText(): fc.Arbitrary<string> {
  return fc
    .record({
      count: fc.integer({ min: 1, max: 10 }),
      list: fc.constantFrom('block', 'block', 'flow', 'json'),
      styles: fc.array(fc.constantFrom('block', 'flow', 'lines', 'short'), { minLength: 1, maxLength: 4 }),
      indent: fc.constantFrom('  ', '    ', '      '),
      comments: fc.array(fc.constantFrom('', ' # note', '\n# below', '\n', '\n\n      # inner'), {
        minLength: 1,
        maxLength: 5,
      }),
      login: fc.constantFrom(
        '',
        'user: ubuntu',
        'password: { env: A }',
        'jump: { address: 10.9.9.9, user: x }',
        '<<: *login',
      ),
      worker: groupStyle(),
      etcd: groupStyle(),
      first: fc.boolean(),
      end: fc.constantFrom('\n', '', '\n\n# The end.\n', '\n...\n'),
      lineBreak: fc.constantFrom('\n', '\n', '\r\n'),
    })
    .map(({ lineBreak, end, first, ...style }) => {
      const hosts = `  hosts:${hostList(style)}`;
      const names = Array.from({ length: style.count }, (_, index) => `node${index + 1}`);
      const groups = `  roleGroups: # roles\n    master: [node1]\n    worker:${style.worker(names)}\n    etcd:${style.etcd(['node1'])}`;
      const rest = '  system:\n    preInstall: [] # none\n';
      const body = first ? `${hosts}\n${rest}${groups}` : `${groups}\n${rest}${hosts}`;
      const extra = style.login.startsWith('<<') ? '  extra: &login { }\n' : '';
      const head = `# kubexm\n---\napiVersion: kubexm.mensylisir.io/v1alpha1\nkind: Cluster\nmetadata: { name: "x" }\nspec:\n`;
      const text = `${head}${extra}${body}${end}`.replaceAll('\n', lineBreak);
      return text;
    })
    .filter((text) => parseAllDocuments(text).length > 0 && check(text).cluster !== undefined);
}

interface ListStyle {
  readonly count: number;
  readonly list: string;
  readonly styles: readonly string[];
  readonly indent: string;
  readonly comments: readonly string[];
  readonly login: string;
}

function hostList({ count, list, styles, indent, comments, login }: ListStyle): string {
  const at = <T>(all: readonly T[], index: number) => all[index % all.length]!;
  const fields = (index: number) => [
    `name: node${index + 1}`,
    `address: 10.0.0.${index + 1}`,
    ...(login ? [login] : []),
  ];
  const one = (index: number) => {
    switch (list === 'block' ? at(styles, index) : 'flow') {
      case 'block':
        return fields(index).join(`\n${indent}  `);
      case 'lines':
        return `{\n${indent}    ${fields(index).join(`,\n${indent}    `)},\n${indent}  }`;
      case 'short':
        return `{${fields(index).join(', ')}}`;
      default:
        return `{ ${fields(index).join(', ')} }`;
    }
  };
  const all = Array.from({ length: count }, (_, index) => index);
  if (list === 'flow') return ` [${all.map(one).join(`,\n${indent}  `)}]`;
  if (list === 'json') return ` [\n${indent}  ${all.map((index) => one(index)).join(`,\n${indent}  `)}\n  ] # hosts`;
  return all
    .map((index) => `\n${indent}- ${one(index)}${commentText(at(comments, index), indent, index === count - 1)}`)
    .join('');
}

const commentText = (comment: string, indent: string, isLast: boolean) =>
  isLast && comment === '\n'
    ? ''
    : comment.replace(/^(\n+)(?=#)/, `$1${indent}`).replace('      # inner', `${indent}    # inner`);

/** Writes a role group. */
function groupStyle(): fc.Arbitrary<(names: readonly string[]) => string> {
  const ranged = (names: readonly string[]) => (names.length > 2 ? [names[0]!, `node[2:${names.length}]`] : names);
  return fc.constantFrom<(names: readonly string[]) => string>(
    (names) => ` [${names.join(', ')}]`,
    (names) =>
      ` [${ranged(names)
        .map((name) => `'${name}'`)
        .join(',')}]`,
    (names) => ` ["${ranged(names).join('", "')}"] # quoted`,
    (names) =>
      ranged(names)
        .map((name) => `\n      - ${name}`)
        .join(''),
    (names) => names.map((name) => `\n    - ${name} # ${name}`).join(''),
    (names) => ` [\n      ${names.join(',\n      ')}\n    ]`,
    (names) => ` [\n      ${names.map((name) => `${name}, # ${name}`).join('\n      ')}\n    ]`,
    (names) => ` [${names.join(',\n      ')}]`,
  );
}

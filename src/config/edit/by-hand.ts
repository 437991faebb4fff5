import type { Addition } from './add-hosts.ts';
import { writeScalar } from './scalar.ts';

/** Returns the lines to add to a cluster file, for users who must edit it manually. */
export function linesToAdd(additions: readonly Addition[]): string {
  const hosts = additions.flatMap(({ name, fields }) => {
    if (!fields) return [];
    const pairs = Object.entries({ name, ...fields }).flatMap(([key, value]) =>
      value === undefined ? [] : [`${key}: ${writeScalar(value, '')}`],
    );
    return [`    - { ${pairs.join(', ')} }`];
  });
  const roles = [...new Set(additions.flatMap((addition) => addition.roles))];
  const groups = roles.map((role) => {
    const names = additions.filter((addition) => addition.roles.includes(role)).map(({ name }) => name);
    return `    ${role}: [${names.map((name) => writeScalar(name, '')).join(', ')}] # add to the group`;
  });
  return ['spec:', ...(hosts.length > 0 ? ['  hosts:', ...hosts] : []), '  roleGroups:', ...groups].join('\n');
}

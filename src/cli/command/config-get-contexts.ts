import { defineCommand } from '../command.ts';
import { textOrJson } from '../options/output.ts';

export const getContexts = defineCommand({
  path: 'config get-contexts',
  summary: 'List contexts (clusters that can be selected by name)',
  options: { output: textOrJson },
  examples: [{ command: 'kubexm config get-contexts', does: 'List all contexts; * marks the current one' }],
  async run({ options, console }) {
    const { readContexts } = await import('../../state/contexts.ts');
    const { current, contexts } = await readContexts();
    if (options.output === 'json') return console.json({ current, contexts });
    if (contexts.length === 0)
      return console.note('There are no contexts. `create cluster` and `lab up` add one: kubexm lab up --machines 3');
    return console.table(
      ['CURRENT', 'NAME', 'FILE', 'WORKDIR'],
      contexts.map(({ name, file, workdir }) => [name === current ? '*' : ' ', name, file, workdir]),
    );
  },
});

import { defineCommand } from '../command.ts';

export const generateSchema = defineCommand({
  path: 'generate schema',
  summary: 'Print the JSON Schema of the cluster file',
  options: {},
  examples: [
    {
      command: 'kubexm generate schema > cluster.schema.json',
      does: 'Save the schema for an editor; start the cluster file with # yaml-language-server: $schema=cluster.schema.json',
    },
  ],
  async run({ console }) {
    const { clusterJsonSchema } = await import('../../config/schema/json-schema.ts');
    console.json(clusterJsonSchema());
  },
});

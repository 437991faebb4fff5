import { EXIT } from '../../common/errors/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { KubexmError } from '../../common/errors/errors.ts';
import type { Checked } from '../../config/load/check.ts';
import { clusterOptions, placeOf } from '../options/cluster.ts';
import type { Console } from '../console.ts';
import { errorRecord } from '../format/error-text.ts';

export const validateCluster = defineCommand({
  path: 'validate cluster',
  summary: 'Check a cluster file; nothing is touched',
  description:
    'Reads a cluster file, checks every field and the rules across fields, and says all that is wrong with it in one go:\nfile:line:col, path, what, got, allowed. Ends with 0 when there is no error, with 10 when there is one.',
  options: {
    ...clusterOptions,
    output: {
      type: 'choice',
      short: 'o',
      choices: ['text', 'json', 'yaml'],
      default: 'text',
      summary: 'text, json for scripts, or yaml: the file with every default',
    },
  },
  examples: [
    { command: 'kubexm validate cluster -f cluster.yaml', does: 'Is this file right?' },
    {
      command: 'kubexm validate cluster -f cluster.yaml -e kubernetes.version=v1.36.3',
      does: 'Would it be right with another version?',
    },
    { command: 'kubexm validate cluster -f cluster.yaml -o yaml', does: 'Show every default that the file leaves out' },
  ],
  async run({ options, global, console }) {
    const { file } = await placeOf(options, global);
    const { checkClusterFile, configInvalid } = await import('../../config/load/load.ts');
    const checking = checkClusterFile(file, { overrides: options.extraVars });
    if (options.output === 'json') return printJson(file, checking, console);
    const { cluster, file: normalised, diagnostics } = await checking;
    const { formatDiagnostic } = await import('../../config/load/diagnostic.ts');
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity !== 'error') console.note(formatDiagnostic(diagnostic), diagnostic.severity);
    }
    if (!cluster || !normalised) throw configInvalid(file, diagnostics);
    if (options.output === 'yaml') {
      const { printClusterFile } = await import('../../config/draft/print.ts');
      console.print(printClusterFile(normalised).trimEnd());
    } else {
      const { describeCluster } = await import('../format/cluster-line.ts');
      console.print(`${console.color.green('✓')} ${file} is valid: ${describeCluster(cluster)}`);
    }
    return EXIT.ok;
  },
});

/** A script gets an answer on stdout, also when there is no file to speak of. */
async function printJson(file: string, checking: Promise<Checked>, console: Console): Promise<number> {
  try {
    const { cluster, diagnostics } = await checking;
    console.json({ file, valid: cluster !== undefined, diagnostics });
    return cluster ? EXIT.ok : EXIT.config;
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    console.json({ file, valid: false, diagnostics: [], error: errorRecord(error) });
    return error.exit;
  }
}

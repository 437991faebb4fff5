import { EXIT } from '../../common/errors/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { contextNames } from '../context-names.ts';
import { lookingAt, lookOptions } from '../open-cluster.ts';
import { printedAs, thingOutput } from '../format/print-as.ts';

export const describeClusterCommand = defineCommand({
  path: 'describe cluster',
  summary: 'Tell all of a cluster: nodes, versions, etcd, certificates, last operation, health',
  description:
    'Looks at all hosts at once over SSH; nothing is changed. What cannot be asked is left open, so that it also tells what it can of a cluster that is half dead.\nEnds with 11 when no API server answers.',
  args: [{ name: 'NAME', summary: 'the cluster of this context, as -c', optional: true, complete: contextNames }],
  options: { ...lookOptions, output: thingOutput },
  examples: [
    { command: 'kubexm describe cluster prod', does: 'What is there, and how is it?' },
    { command: 'kubexm describe cluster -f cluster.yaml', does: 'By its file' },
    { command: "kubexm describe cluster prod -o json | jq '.certificates[0]'", does: 'What ends first?' },
  ],
  async run({ args: [name], ...call }) {
    const { describeCluster } = await import('../../runtime/inspect/describe-cluster.ts');
    const options = name === undefined ? call.options : { ...call.options, clusterName: name };
    const found = await lookingAt({ ...call, options }, (session, { workdir, named }, signal) =>
      describeCluster(session, { workdir, named, signal }),
    );
    const { descriptionJson } = await import('../format/cluster-json.ts');
    if (!(await printedAs(call.console, options.output, descriptionJson(found)))) {
      const { descriptionText } = await import('../format/cluster-text.ts');
      call.console.print(descriptionText(found, call.console.color));
    }
    return found.status === 'Unreachable' ? EXIT.connection : EXIT.ok;
  },
});

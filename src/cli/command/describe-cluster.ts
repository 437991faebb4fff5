import { EXIT } from '../../common/errors/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { inspectCluster, inspectOptions } from '../open-cluster.ts';
import { contextNames } from '../options/cluster.ts';
import { objectOutput } from '../options/output.ts';

export const describeClusterCommand = defineCommand({
  path: 'describe cluster',
  summary: 'Show cluster details',
  description:
    'Shows nodes, versions, etcd members, certificates, the last operation and the health of a cluster. Inspects all hosts in parallel over SSH without changing them. Also works on a degraded cluster: values that cannot be read are left empty.\nExits with 11 if no API server responds.',
  args: [
    { name: 'NAME', summary: 'use the cluster of this context (same as -c)', optional: true, complete: contextNames },
  ],
  options: { ...inspectOptions, output: objectOutput },
  examples: [
    { command: 'kubexm describe cluster prod', does: 'Show the cluster of the context prod' },
    { command: 'kubexm describe cluster -f cluster.yaml', does: 'Show the cluster defined in a cluster file' },
    {
      command: "kubexm describe cluster prod -o json | jq '.certificates[0]'",
      does: 'Show the certificate that expires first',
    },
  ],
  async run({ args: [name], ...call }) {
    const { printStructured } = await import('../format/structured.ts');
    const { describeCluster } = await import('../../runtime/inspect/describe-cluster.ts');
    const options = name === undefined ? call.options : { ...call.options, clusterName: name };
    const found = await inspectCluster({ ...call, options }, (session, { workdir, named }, signal) =>
      describeCluster(session, { workdir, clusterFlag: named, signal }),
    );
    const { descriptionJson } = await import('../format/cluster-json.ts');
    if (!printStructured(call.console, options.output, descriptionJson(found))) {
      const { descriptionText } = await import('../format/cluster-text.ts');
      call.console.print(descriptionText(found, call.console.color));
    }
    return found.status === 'Unreachable' ? EXIT.connection : EXIT.ok;
  },
});

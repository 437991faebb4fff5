import { once } from 'node:events';
import { fail } from '../../common/errors/errors.ts';
import { mirrorPaths } from '../../lab/mirror/paths.ts';
import { readRecords } from '../../lab/mirror/records.ts';
import { serveMirror, type Address } from '../../lab/mirror/serve.ts';
import { gatewayOfLab } from '../../lab/network/network.ts';
import type { Console } from '../console.ts';
import { untilStopped } from '../until-stopped.ts';

/** Serves a mirror until Ctrl-C, and says what to write into a cluster file. */
export async function runMirrorServe(
  folder: string,
  listen: readonly string[],
  lab: string | undefined,
  console: Console,
): Promise<void> {
  if ((await readRecords(mirrorPaths(folder))).length === 0) throw fail('LAB_MIRROR_EMPTY', { folder });
  const own = (listen.length > 0 ? listen : ['127.0.0.1:5080']).map(toAddress);
  const port = own[0]?.port ?? 0;
  const forLab = lab === undefined ? [] : [{ host: await gatewayOfLab(lab), port }];
  await untilStopped(async (signal) => {
    await using server = await serveMirror({ folder, listen: [...own, ...forLab] });
    const shown = server.urls.at(-1) ?? server.url;
    console.note(
      [
        `Serving ${folder} at ${server.urls.join(' and ')}`,
        '',
        'artifacts:',
        `  mirror: ${server.url}`,
        `  checksums: ${mirrorPaths(folder).sums}`,
        `  imageMirror: ${new URL(shown).host}`,
        '',
        `Break something   curl -X PUT ${server.url}-/faults -d '{"pattern": "*kubelet", "fault": {"type": "truncated"}}'`,
        `Mend it           curl -X DELETE ${server.url}-/faults`,
      ].join('\n'),
    );
    if (!signal.aborted) await once(signal, 'abort');
  });
}

function toAddress(given: string): Address {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(given) ?? [];
  if (host === '' || Number(port) > 65_535) {
    throw fail('LAB_OPTION_INVALID', { option: '--listen', value: given, wanted: 'host:port, such as 127.0.0.1:5080' });
  }
  return { host, port: Number(port) };
}

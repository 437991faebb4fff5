import { once } from 'node:events';
import { fail } from '../../common/errors/errors.ts';
import type { Address } from '../../lab/mirror/serve.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import { mirrorDir, mirrorDirectory } from '../options/lab.ts';

export const labMirrorServe = defineCommand({
  path: 'lab mirror serve',
  summary: 'Serve the mirror (files over HTTP, images as a registry)',
  description:
    'Serves the output of `lab mirror build` until Ctrl-C. Files are at URL/HOST/PATH, for artifacts.mirror; images are at the same address, for ' +
    'artifacts.imageMirror. With --lab, it also listens on the gateway address of that lab. Faults are injected at URL/-/faults, ' +
    'from this computer only.',
  options: {
    listen: {
      type: 'list',
      value: 'HOST:PORT',
      summary: 'address to listen on (repeatable; default: 127.0.0.1:5080)',
    },
    lab: { type: 'text', value: 'LAB', summary: 'also serve the machines of this lab' },
    dir: mirrorDir,
  },
  examples: [
    { command: 'kubexm lab mirror serve', does: 'Serve only this computer' },
    { command: 'kubexm lab mirror serve --lab ha --listen 127.0.0.1:8080', does: 'Also serve the machines of a lab' },
  ],
  async run({ options, console }) {
    await serve(await mirrorDirectory(options.dir), options.listen, options.lab, console);
  },
});

/** Serves a mirror until Ctrl-C and prints the settings for a cluster file. */
async function serve(
  folder: string,
  listen: readonly string[],
  lab: string | undefined,
  console: Console,
): Promise<void> {
  const { mirrorPaths } = await import('../../lab/mirror/paths.ts');
  const { readRecords } = await import('../../lab/mirror/records.ts');
  const { serveMirror } = await import('../../lab/mirror/serve.ts');
  const { gatewayOfLab } = await import('../../lab/network/network.ts');
  if ((await readRecords(mirrorPaths(folder))).length === 0) throw fail('LAB_MIRROR_EMPTY', { folder });
  const own = (listen.length > 0 ? listen : ['127.0.0.1:5080']).map(toAddress);
  const port = own[0]?.port ?? 0;
  const forLab = lab === undefined ? [] : [{ host: await gatewayOfLab(lab), port }];
  await abortOnInterrupt(async (signal) => {
    await using server = await serveMirror({ folder, listen: [...own, ...forLab] });
    const shown = server.urls.at(-1) ?? server.url;
    console.note(
      [
        `Serving ${folder} at ${server.urls.join(' and ')}`,
        '',
        'artifacts:',
        `  mirror: ${server.url}`,
        `  checksums: ${mirrorPaths(folder).checksums}`,
        `  imageMirror: ${new URL(shown).host}`,
        '',
        `Inject a fault   curl -X PUT ${server.url}-/faults -d '{"pattern": "*kubelet", "fault": {"type": "truncated"}}'`,
        `Clear faults     curl -X DELETE ${server.url}-/faults`,
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

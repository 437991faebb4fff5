import { defineCommand } from '../command.ts';
import { mirrorFolder } from '../lab/mirror-options.ts';

export const labMirrorServe = defineCommand({
  path: 'lab mirror serve',
  summary: 'Serve the mirror: files by host and path, images as a registry',
  description:
    'Serves what `lab mirror build` made until Ctrl-C. Files are at URL/HOST/PATH, for artifacts.mirror; images at the same address, for ' +
    'artifacts.imageMirror. With --lab it also listens on the address that machines of that lab see this computer at. Faults are switched at URL/-/faults, ' +
    'from this computer only.',
  options: {
    listen: {
      type: 'list',
      value: 'host:port',
      summary: 'where to listen, 127.0.0.1:5080 without it; may be repeated',
    },
    lab: { type: 'text', value: 'lab', summary: 'listen where the machines of this lab reach it, too' },
    dir: mirrorFolder,
  },
  examples: [
    { command: 'kubexm lab mirror serve', does: 'For this computer' },
    { command: 'kubexm lab mirror serve --lab ha --listen 127.0.0.1:8080', does: 'For the machines of a lab, too' },
  ],
  async run({ options, console }) {
    const [{ folderOf }, { runMirrorServe }] = await Promise.all([
      import('../lab/mirror-options.ts'),
      import('../lab/mirror-serving.ts'),
    ]);
    await runMirrorServe(await folderOf(options.dir), options.listen, options.lab, console);
  },
});

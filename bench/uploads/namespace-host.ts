import { startSshServer } from '../../test/fake/ssh-server.ts';

// Started by bench/uploads.ts in its own mount namespace: an SSH server that runs commands in /bin/sh.
const { port } = await startSshServer({ address: process.argv[2] ?? '127.0.0.1' });
process.stdout.write(`${port}\n`);

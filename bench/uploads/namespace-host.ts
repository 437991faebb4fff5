import { spawn } from 'node:child_process';
import ssh2 from 'ssh2';

// Started by bench/uploads.ts in its own mount namespace: an SSH server that runs commands in /bin/sh.
const { private: hostKey } = ssh2.utils.generateKeyPairSync('ed25519');
const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
  client.on('error', () => {});
  client.on('authentication', (ctx) => (ctx.method === 'publickey' ? ctx.accept() : ctx.reject(['publickey'])));
  client.on('session', (accept) => {
    accept().on('exec', (acceptExec, _reject, { command }) => {
      const channel = acceptExec();
      const child = spawn('/bin/sh', ['-c', command]);
      child.stdin.on('error', () => {});
      channel.pipe(child.stdin);
      child.stdout.pipe(channel, { end: false });
      child.stderr.pipe(channel.stderr, { end: false });
      child.once('close', (code) => {
        channel.exit(code ?? 1);
        channel.end();
      });
    });
  });
});
server.listen(0, process.argv[2], () => {
  const bound = server.address();
  if (bound !== null && typeof bound !== 'string') process.stdout.write(`${bound.port}\n`);
});

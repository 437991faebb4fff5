import { VERSION } from '../common/version.ts';

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === 'version' || argv[0] === '--version')) {
  // A fast path that loads no other modules, because scripts often check the version.
  process.stdout.write(`kubexm ${VERSION}\n`);
} else {
  const { main } = await import('./main.ts');
  process.exitCode = await main(argv);
}

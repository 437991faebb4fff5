import { cacheKey } from '../../cache/cache.ts';
import { sh, type Command } from '../../runner/command.ts';
import { KUBELET, SERVICES, unitFileOf } from '../../template/kubernetes/paths.ts';
import { shellWords } from '../contract/shell-words.ts';
import { checkOnly } from '../common/check-only.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Sums of files by path, for each host that was asked. */
export const NODE_CHECKSUMS = cacheKey<ReadonlyMap<string, Readonly<Record<string, string>>>>('state.sums');

/** Sees what the files are that decide how the node works. */
export const checksumNodeFiles: Step = defineStep({
  name: 'state.sum',
  summary: 'See which files the node works by',
  provides: [NODE_CHECKSUMS],
  parts: ({ host: { name } }) => [
    checkOnly('check:node-files', 'sum the files that the node works by', async ({ runner, cache }) => {
      const { stdout } = await runner.query(LOOK);
      cache.set(NODE_CHECKSUMS, new Map([...(cache.get(NODE_CHECKSUMS) ?? []), [name, sumsIn(stdout)]]));
    }),
  ],
});

const UNITS = shellWords([KUBELET.unitFile, ...SERVICES.map(unitFileOf)]);

// Never keys, nor what passwords of registries stand in: a sum of a short secret can be guessed.
const LOOK: Command = sh`for f in /etc/kubernetes/manifests/*.yaml ${UNITS} /var/lib/kube-proxy/config.yaml /var/lib/kubelet/config.yaml /etc/kubernetes/pki/ca.crt /etc/haproxy/haproxy.cfg /etc/nginx/nginx.conf; do [ ! -f "$f" ] || sha256sum "$f"; done`;

const sumsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/^([0-9a-f]{64}) [ *](\/.+)$/gm)].map(([, sum = '', path = '']) => [path, sum]));

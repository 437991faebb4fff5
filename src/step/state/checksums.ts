import { cacheKey } from '../../cache/cache.ts';
import { sh, shellWords, type Command } from '../../runner/command.ts';
import { KUBELET, SERVICES, unitFileOf } from '../../template/kubernetes/paths.ts';
import { checkOnly } from '../common/check-only.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** The checksums of files by path, for each host of the run. */
export const NODE_CHECKSUMS = cacheKey<ReadonlyMap<string, Readonly<Record<string, string>>>>('state.sums');

/** Records the checksums of the files that determine how the node runs. */
export const checksumNodeFiles: Step = defineStep({
  name: 'state.sum',
  summary: 'Compute checksums of the node configuration',
  provides: [NODE_CHECKSUMS],
  parts: ({ host: { name } }) => [
    checkOnly('check:node-files', 'compute checksums of the node configuration', async ({ runner, cache }) => {
      const { stdout } = await runner.query(COMPUTE);
      cache.set(NODE_CHECKSUMS, new Map([...(cache.get(NODE_CHECKSUMS) ?? []), [name, parseChecksums(stdout)]]));
    }),
  ],
});

const UNITS = shellWords([KUBELET.unitFile, ...SERVICES.map(unitFileOf)]);

// No keys and no files with registry passwords: short secrets could be guessed from their checksum.
const COMPUTE: Command = sh`for f in /etc/kubernetes/manifests/*.yaml ${UNITS} /var/lib/kube-proxy/config.yaml /var/lib/kubelet/config.yaml /etc/kubernetes/pki/ca.crt /etc/haproxy/haproxy.cfg /etc/nginx/nginx.conf; do [ ! -f "$f" ] || sha256sum "$f"; done`;

const parseChecksums = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/^([0-9a-f]{64}) [ *](\/.+)$/gm)].map(([, checksum = '', path = '']) => [path, checksum]),
  );

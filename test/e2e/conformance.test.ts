import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localArch } from '../../src/lab/mirror/build-context.ts';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { run, tryRun } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm } from '../fast/cli/kubexm.ts';
import { MIRROR } from '../lab/built-mirror.ts';
import { clusterMirror, mirroredClusterFile, needsClusterMirror } from '../lab/support/cluster-mirror.ts';
import { labNames } from '../lab/support.ts';
import { parseSpecs, type Spec } from './support/conformance-report.ts';
import { skipExpression, SKIPS } from './support/conformance-skips.ts';

const VERSION = process.env['KUBEXM_CONFORMANCE_VERSION'] ?? '1.36.3';
const TYPE = process.env['KUBEXM_CONFORMANCE_TYPE'] ?? 'kubeadm';
const FOCUS = process.env['KUBEXM_CONFORMANCE_FOCUS'] ?? String.raw`\[Conformance\]`;
const PROCESSES = process.env['KUBEXM_CONFORMANCE_PROCESSES'] ?? '6';

const named = await labNames();
const name = named('conf');

describe(
  `Kubernetes ${VERSION} of type ${TYPE} on one master and two workers`,
  { timeout: 7_200_000, ...(await needsClusterMirror(VERSION, 'nginx', 'agnhost', 'e2e')) },
  () => {
    let lab: Lab;
    let mirror: MirrorServer;

    beforeAll(async () => {
      lab = await labUp({ name, machines: 3 });
      mirror = await clusterMirror(lab, VERSION, 'nginx', 'agnhost', 'e2e');
      const file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec: { kubernetes: { type: TYPE } } });
      const args = ['create', 'cluster', '--skip-preflight', '-f', file, '--workdir', lab.paths.folder];
      const { exit, stderr } = await kubexm(args, { KUBEXM_HOME: process.env['KUBEXM_HOME']! });
      expect(exit, stderr).toBe(0);
    }, 7_200_000);
    afterAll(() => mirror.close());

    it('passes the official conformance specs that the lab supports', async () => {
      const programs = await unpackTests(lab);
      const start = performance.now();
      const report = await runTests(lab, programs);
      const [focus, skip] = [new RegExp(FOCUS), new RegExp(skipExpression(SKIPS))];
      const specs = parseSpecs(await readFile(report, 'utf8'));
      const withState = (state: Spec['state']) => specs.filter((spec) => spec.state === state);
      const minutes = ((performance.now() - start) / 60_000).toFixed(1);
      const counts = `${withState('passed').length} passed, ${withState('failed').length} failed, ${withState('skipped').length} skipped`;
      console.log(
        `Kubernetes ${VERSION}, type ${TYPE}: ${counts} of ${specs.length} conformance specs in ${minutes} min`,
      );
      expect(withState('failed').map(({ title, failure }) => `${title}: ${failure}`)).toEqual([]);
      const isWanted = ({ title }: Spec) => focus.test(title) && !skip.test(title);
      expect(specs.filter((spec) => isWanted(spec) && spec.state !== 'passed').map(({ title }) => title)).toEqual([]);
      expect(specs.some(isWanted)).toBe(true);
    });
  },
);

interface Programs {
  readonly folder: string;
  readonly kubectl: string;
}

/** Unpacks the release archive of the conformance tests. */
async function unpackTests({ paths }: Lab): Promise<Programs> {
  const release = join(MIRROR, 'dl.k8s.io/release', `v${VERSION}`);
  const folder = join(paths.folder, 'tests');
  await mkdir(folder);
  const packed = join(release, `kubernetes-test-linux-${localArch()}.tar.gz`);
  await run(['tar', '-xzf', packed, '-C', folder, '--strip-components=3']);
  await copyFile(join(release, 'bin/linux', localArch(), 'kubectl'), join(folder, 'kubectl'));
  return { folder, kubectl: join(folder, 'kubectl') };
}

/** Runs the tests in parallel. Returns the path of the report, whatever the result. */
async function runTests({ paths, name: cluster }: Lab, { folder, kubectl }: Programs): Promise<string> {
  const kubeconfig = join(paths.folder, '.kubexm', cluster, 'kubeconfig');
  const ginkgo = [
    `--procs=${PROCESSES}`,
    '--timeout=100m',
    '--silence-skips',
    `--focus=${FOCUS}`,
    `--skip=${skipExpression(SKIPS)}`,
    `--output-dir=${folder}`,
    '--json-report=report.json',
  ];
  const tests = ['--provider=skeleton', `--kubeconfig=${kubeconfig}`, `--kubectl-path=${kubectl}`];
  const quiet = ['--disable-log-dump', '--dump-logs-on-failure=false'];
  const argv = [join(folder, 'ginkgo'), ...ginkgo, join(folder, 'e2e.test'), '--', ...tests, ...quiet];
  await tryRun(argv, { env: { KUBECONFIG: kubeconfig } });
  return join(folder, 'report.json');
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MirrorServer } from '../../src/lab/mirror/serve.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { runKubexm } from '../lab/support/lab-cluster.ts';
import { clusterMirror, mirroredClusterFile, needsClusterMirror } from '../lab/support/cluster-mirror.ts';
import { hostState } from '../lab/support/host-state.ts';
import { labNames, sshText } from '../lab/support.ts';
import { kubectlOn } from '../lab/support/verify-cluster.ts';
import { TYPES } from './support/cluster-types.ts';

const named = await labNames();
const VERSION = '1.36.3';
const VOLUMES = '/opt/local-path-provisioner';

describe.each(TYPES)(
  'catalog addons on one master and one worker, type %s',
  { timeout: 3_600_000, ...(await needsClusterMirror(VERSION, 'metrics-server', 'local-path-provisioner')) },
  (type) => {
    let lab: Lab;
    let mirror: MirrorServer;
    let file: string;
    let before: readonly (readonly string[])[];
    const states = () => Promise.all(lab.machines.map(hostState));
    const kubectl = kubectlOn(() => lab);
    const call = async (...args: readonly string[]) => {
      const { exit, stdout, stderr } = await runKubexm(lab, file, ...args);
      expect(exit, stderr).toBe(0);
      return { stdout, stderr };
    };
    const create = async () => (await call('create', 'cluster', '--skip-preflight')).stderr;

    beforeAll(async () => {
      lab = await labUp({ name: named(`cat-${type}`), machines: 2 });
      mirror = await clusterMirror(lab, VERSION, 'metrics-server', 'local-path-provisioner');
      const spec = {
        kubernetes: { type },
        etcd: { type },
        addons: ['metrics-server'],
        storage: { localPath: true },
      };
      file = await mirroredClusterFile(lab, mirror, { version: VERSION, spec });
      before = await states();
    }, 3_600_000);
    afterAll(() => mirror.close());

    it('are installed with the cluster, and a re-run changes nothing', async () => {
      await create();
      expect(await create()).toContain('Nothing to do');
    });

    it('provide node and pod metrics', async () => {
      await kubectl('wait apiservice/v1beta1.metrics.k8s.io --for=condition=Available --timeout=300s');
      const nodes = await kubectl('top nodes --no-headers');
      expect(nodes.split('\n').map((line) => line.trim().split(/ +/))).toEqual(
        ['node1', 'node2'].map((node) => [node, ...['m', '%', 'Mi', '%'].map((unit) => numberWith(unit))]),
      );
      expect(await kubectl('top pods -n kube-system --no-headers')).toMatch(/^coredns-\S+ +\d+m +[1-9]\d*Mi/m);
    });

    it('provide persistent volumes of the default storage class', async () => {
      await kubectl(
        `apply -f - <<'END'\n${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [claim, writer] })}\nEND`,
      );
      await kubectl('wait pod/writer --for=jsonpath={.status.phase}=Succeeded --timeout=300s');
      expect(await kubectl('get pvc kept -o jsonpath={.status.phase},{.spec.storageClassName}')).toBe(
        'Bound,local-path',
      );
      await kubectl(`apply -f - <<'END'\n${JSON.stringify(reader)}\nEND`);
      await kubectl('wait pod/reader --for=jsonpath={.status.phase}=Succeeded --timeout=300s');
      expect(await kubectl('logs reader')).toBe('written');
      const node = await kubectl('get pod writer -o jsonpath={.spec.nodeName}');
      expect(await kubectl('get pod reader -o jsonpath={.spec.nodeName}')).toBe(node);
      expect(await sshText(lab, node, `cat ${VOLUMES}/*_default_kept/word`)).toBe('written');
      await kubectl('delete pod/writer pod/reader pvc/kept --wait=true --timeout=120s');
      await kubectl('wait pv --all --for=delete --timeout=120s');
      expect(await sshText(lab, node, `ls ${VOLUMES}`)).toBe('');
    });

    it('are listed, and can be uninstalled completely', async () => {
      const list = async () => JSON.parse((await call('addon', 'list', '-o', 'json')).stdout).addons;
      expect(await list()).toMatchObject([
        { name: 'local-path', state: 'installed' },
        { name: 'metrics-server', state: 'installed' },
      ]);
      await call('addon', 'uninstall', 'metrics-server', 'local-path', '--yes');
      const kinds =
        'deployment,serviceaccount,configmap,role,rolebinding,clusterrole,clusterrolebinding,storageclass,apiservice,ns';
      const left = await kubectl(`get ${kinds} -A --ignore-not-found -o name`);
      expect(left.split('\n').filter((line) => /metrics|local-path/.test(line))).toEqual([]);
      expect(await list()).toMatchObject([{ state: 'not as configured' }, { state: 'not as configured' }]);
    });

    it('are installed again, and removed with the cluster', async () => {
      await create();
      await call('delete', 'cluster', '--yes');
      // Volume data belongs to the user and is not deleted.
      for (const machine of lab.machines) await sshText(lab, machine.name, `rmdir ${VOLUMES} 2>/dev/null; true`);
      expect(await states()).toEqual(before);
    });
  },
);

const numberWith = (unit: string) => expect.stringMatching(new RegExp(String.raw`^\d+${unit}$`));

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'kept', namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
};

const pod = (name: string, command: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
    volumes: [{ name: 'kept', persistentVolumeClaim: { claimName: 'kept' } }],
    containers: [
      {
        name,
        image: 'docker.io/library/busybox:1.37.0',
        command: ['sh', '-c', command],
        volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
      },
    ],
  },
});

const writer = pod('writer', 'printf written >/kept/word');
const reader = pod('reader', 'cat /kept/word');

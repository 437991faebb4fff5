import { expect, it } from 'vitest';
import type { Json } from '../../../../src/common/json.ts';
import { changedField } from '../../../../src/step/kubernetes-object/changed-field.ts';
import type { Manifest } from '../../../../src/step/kubernetes-object/manifest.ts';

const daemonSet: Manifest = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'kube-system', annotations: { 'kubexm.mensylisir.io/applied': '1' } },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: {
      metadata: { labels: { app: 'agent' }, creationTimestamp: null },
      spec: {
        tolerations: [{ operator: 'Exists' }],
        volumes: [{ name: 'tmp', emptyDir: {} }],
        containers: [
          {
            name: 'agent',
            image: 'agent:1',
            args: ['--verbose'],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            ports: [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 80 }],
            resources: {},
          },
        ],
      },
    },
  },
  status: { desiredNumberScheduled: 1 },
};

const container = {
  '.': {},
  'f:name': {},
  'f:image': {},
  'f:args': {},
  'f:env': {
    '.': {},
    'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} },
    'k:{"name":"B"}': { '.': {}, 'f:name': {}, 'f:value': {} },
  },
  'f:ports': {
    '.': {},
    'k:{"containerPort":53,"protocol":"UDP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
    'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} },
  },
};

const fieldsOf = (agent: Json): Json => ({
  'f:metadata': { 'f:annotations': { '.': {}, 'f:kubexm.mensylisir.io/applied': {} } },
  'f:spec': {
    'f:selector': {},
    'f:template': {
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      'f:spec': {
        'f:tolerations': {},
        'f:volumes': { 'k:{"name":"tmp"}': { '.': {}, 'f:name': {}, 'f:emptyDir': {} } },
        'f:containers': { 'k:{"name":"agent"}': agent },
      },
    },
  },
});

const entry = (manager: string, fieldsV1: Json, more: object = {}): Json => ({
  manager,
  operation: manager === 'kubexm' ? 'Apply' : 'Update',
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});

const STATUS = entry('kube-controller-manager', { 'f:status': { 'f:numberReady': {} } }, { subresource: 'status' });

it('finds no change in an object that only kubexm has written', () => {
  expect(changedField(daemonSet, [entry('kubexm', fieldsOf(container)), STATUS])).toBeUndefined();
});

it.each([
  ['f:image', 'spec.template.spec.containers.image'],
  ['f:args', 'spec.template.spec.containers.args'],
  ['f:env', 'spec.template.spec.containers.env.name'],
  ['f:ports', 'spec.template.spec.containers.ports.containerPort'],
])('names %s if another client has changed it', (name, path) => {
  const { [name]: changed = null, ...rest } = container as Readonly<Record<string, Json>>;
  const others = entry('kubectl-edit', fieldsOf({ [name]: changed }));
  expect(changedField(daemonSet, [entry('kubexm', fieldsOf(rest)), others, STATUS])).toBe(path);
});

it('notices a removed field, which nobody owns any more', () => {
  const configMap: Manifest = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { x: '1', y: '2' },
  };
  const fields = (...names: readonly string[]) => ({
    'f:data': { '.': {}, ...Object.fromEntries(names.map((name) => [`f:${name}`, {}])) },
  });
  expect(changedField(configMap, [entry('kubexm', fields('x', 'y'))])).toBeUndefined();
  expect(changedField(configMap, [entry('kubexm', fields('x'))])).toBe('data.y');
  expect(changedField(configMap, [])).toBe('data.x');
});

it('does not report fields that the definition of a custom resource drops', () => {
  const pool: Manifest = { apiVersion: 'example.com/v1', kind: 'Pool', metadata: { name: 'a' }, spec: { x: 1, y: 2 } };
  const applied = entry('kubexm', { 'f:spec': { 'f:x': {} } });
  expect(changedField(pool, [applied])).toBeUndefined();
  expect(changedField(pool, [applied, entry('calicoctl', { 'f:spec': { 'f:y': {} } })])).toBe('spec.y');
});

it('accepts fields that kubexm has patched itself, additions of others, and stringData', () => {
  const secret: Manifest = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a' },
    stringData: { x: '1' },
    type: 'Opaque',
  };
  const patched = entry('kubexm', { 'f:type': {} }, { operation: 'Update' });
  const added = entry('someone', { 'f:metadata': { 'f:labels': { 'f:team': {} } } });
  expect(changedField(secret, [patched, added])).toBeUndefined();
});

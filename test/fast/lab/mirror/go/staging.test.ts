import { expect, test } from 'vitest';
import { libraryVersion, stagingModules } from '../../../../../src/lab/mirror/go/staging.ts';

test('finds the staging modules of Kubernetes', () => {
  const goMod = `module k8s.io/kubernetes
require (
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.140.0
)
replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/component-base => ./staging/src/k8s.io/component-base
	k8s.io/sample-controller => ./staging/src/k8s.io/sample-controller
)`;
  expect(stagingModules(goMod)).toEqual(['k8s.io/api', 'k8s.io/component-base', 'k8s.io/sample-controller']);
  expect(libraryVersion('v1.34.4')).toBe('v0.34.4');
});

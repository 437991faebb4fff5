import { expect, test } from 'vitest';
import { kubernetesMain } from '../../../../../src/lab/mirror/go/kubernetes-main.ts';

test.each([
  [33, 'app/util"', 'CheckErr(kubeadm.Run())', 'NewKubeletCommand()'],
  [34, 'app/util/errors"', 'HandleError(kubeadm.Run())', 'NewKubeletCommand(context.Background())'],
  [36, 'app/util/errors"', 'HandleError(kubeadm.Run())', 'NewKubeletCommand(context.Background())'],
])('the main package for 1.%i matches the API of that minor', (minor, ...parts) => {
  const source = kubernetesMain(minor);
  for (const part of parts) expect(source).toContain(part);
  expect(source).not.toMatch(/KUBEADM|KUBELET/);
});

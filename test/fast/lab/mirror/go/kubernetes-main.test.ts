import { expect, test } from 'vitest';
import { kubernetesMain } from '../../../../../src/lab/mirror/go/kubernetes-main.ts';

test.each([
  [33, 'app/util"', 'CheckErr(kubeadm.Run())', 'NewKubeletCommand()'],
  [34, 'app/util/errors"', 'HandleError(kubeadm.Run())', 'NewKubeletCommand(context.Background())'],
  [36, 'app/util/errors"', 'HandleError(kubeadm.Run())', 'NewKubeletCommand(context.Background())'],
])('the program of 1.%i calls what that minor has', (minor, ...parts) => {
  const source = kubernetesMain(minor);
  for (const part of parts) expect(source).toContain(part);
  expect(source).not.toMatch(/KUBEADM|KUBELET/);
});

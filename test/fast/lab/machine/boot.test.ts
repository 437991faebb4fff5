import { expect, test } from 'vitest';
import { bootArgs } from '../../../../src/lab/machine/boot.ts';

test('bootArgs sets name, address, volumes and labels', () => {
  const machine = { name: 'node1', lab: 'demo', container: 'kubexm-demo-node1', address: '10.177.0.11', port: 2222 };
  const args = bootArgs({ machine, image: 'image:tag', folder: '/f', seccomp: '/s.json', setup: '' });
  expect(args.join(' ')).toBe(
    'run --detach --name kubexm-demo-node1 --hostname node1 ' +
      '--label kubexm.lab=demo --label kubexm.lab.machine=node1 --label kubexm.lab.address=10.177.0.11 --label kubexm.lab.port=2222 ' +
      '--privileged --security-opt seccomp=/s.json --restart on-failure --ulimit nofile=10000:10000 --ulimit nproc=10000:10000 ' +
      '--systemd=false --env container=podman --stop-signal SIGRTMIN+3 --cgroupns=private ' +
      '--network kubexm-demo --ip 10.177.0.11 --mac-address 02:42:0a:b1:00:0b --tmpfs /tmp --tmpfs /run --volume /f:/etc/kubexm-lab:ro ' +
      '--volume kubexm-demo-node1-containerd:/var/lib/containerd --volume kubexm-demo-node1-kubelet:/var/lib/kubelet ' +
      '--volume kubexm-demo-node1-docker:/var/lib/docker --pull never image:tag /sbin/lab-init',
  );
});

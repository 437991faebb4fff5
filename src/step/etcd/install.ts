import { ETCD } from '../../template/etcd/access.ts';
import { user } from '../common/user.ts';
import { installProgram, type Programs } from '../transfer/install-program.ts';
import type { Step } from '../contract/step.ts';

/** etcd and its tools are on the host, and a user to run it as. */
export const installEtcd = (programs?: Programs): Step =>
  installProgram(programs, {
    name: 'etcd',
    summary: 'Install etcd',
    into: ETCD.programs,
    wanted: (member) => /(^|\/)(etcd|etcdctl|etcdutl)$/.test(member),
    beside: [user({ name: ETCD.user })],
  });

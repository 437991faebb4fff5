import type { Assets } from '../../resource/assets.ts';
import { ETCD } from '../../template/etcd/access.ts';
import { user } from '../common/user.ts';
import { installProgram } from '../transfer/install-program.ts';
import type { Step } from '../contract/step.ts';

/** Installs etcd and its tools, and creates the user that it runs as. */
export const installEtcdProgram = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'etcd',
    summary: 'Install etcd',
    into: ETCD.programs,
    wanted: (member) => /(^|\/)(etcd|etcdctl|etcdutl)$/.test(member),
    beside: [user({ name: ETCD.user })],
  });

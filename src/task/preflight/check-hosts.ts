import { on, sequence } from '../../plan/fragment.ts';
import { beginChecks } from '../../step/preflight/begin.ts';
import { callPeers } from '../../step/preflight/connectivity/call-peers.ts';
import { JUDGE_HOSTS, judgeHosts, type PreflightOptions } from '../../step/preflight/evaluate.ts';
import { lookAtHost } from '../../step/preflight/probe/probe-host.ts';
import { defineTask } from '../task.ts';

export const checkHosts = defineTask<PreflightOptions>({
  name: 'check-hosts',
  title: 'Run preflight checks',
  reports: JUDGE_HOSTS,
  plan: ({ cluster, hosts, local }, options) =>
    sequence(
      on(local, beginChecks),
      on(hosts.all, lookAtHost(cluster)),
      on(hosts.all, callPeers(cluster)),
      on(local, judgeHosts(cluster, options)),
    ),
});

export const DEFAULT_PREFLIGHT: PreflightOptions = Object.freeze({ ignore: [], lint: [], strict: false });

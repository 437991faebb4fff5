import { on, sequence } from '../../plan/fragment.ts';
import { callPeers } from '../../step/preflight/connectivity/call-peers.ts';
import { EVALUATE_CHECKS, evaluateChecks, type PreflightOptions } from '../../step/preflight/evaluate.ts';
import { probeHost, startChecks } from '../../step/preflight/probe/probe-host.ts';
import { defineTask } from '../task.ts';

export const checkHosts = defineTask<PreflightOptions>({
  name: 'check-hosts',
  title: 'Run preflight checks',
  reports: EVALUATE_CHECKS,
  plan: ({ cluster, hosts, local }, options) =>
    sequence(
      on(local, startChecks),
      on(hosts.all, probeHost(cluster)),
      on(hosts.all, callPeers(cluster)),
      on(local, evaluateChecks(cluster, options)),
    ),
});

export const DEFAULT_PREFLIGHT: PreflightOptions = Object.freeze({ ignore: [], lint: [], strict: false });

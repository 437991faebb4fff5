import type { Cluster } from '../../../config/model/cluster.ts';
import { sh, type Command } from '../../../runner/command.ts';
import { checkOnly } from '../../common/check-only.ts';
import type { StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';
import { addTo, ATTEMPTS, REPORTS } from '../cache-keys.ts';
import type { HostReport } from '../check.ts';
import { probeTimeout } from '../probe/probe-host.ts';
import type { Attempt, Connection } from './attempt.ts';
import { answeredBy, connectionsAmong } from './connections.ts';

/** Connects to the hosts that this host must be able to reach, on the ports that the cluster will use. */
export const callPeers = (cluster: Cluster): Step =>
  defineStep({
    name: 'preflight.connect',
    summary: 'Test connections to other hosts',
    timeoutMs: probeTimeout(cluster),
    needs: [REPORTS],
    provides: [ATTEMPTS],
    parts: () => [checkOnly('check:connections', 'test connections to other hosts', (ctx) => callFrom(cluster, ctx))],
  });

async function callFrom(cluster: Cluster, { cache, runner, host: { name } }: StepContext): Promise<void> {
  if (cache.get(ATTEMPTS)?.has(name)) return;
  const reports = cache.get(REPORTS) ?? new Map();
  const own = reports.get(name);
  const probed = cluster.hosts.filter((host) => reports.has(host.name));
  const connections = own ? connectionsAmong(cluster, probed) : [];
  // A single host calls nobody, but its listener must end: it holds the ports that etcd and the API server need.
  const isDone = connections.length === 0 && own?.probe.listener === undefined;
  if (!own || isDone) return addTo(cache, ATTEMPTS, name, []);
  const { stdout } = await runner.query(callScript(connections, reports, own));
  addTo(cache, ATTEMPTS, name, parseAttempts(stdout, connections, reports, own));
}

/** Calls the other hosts in parallel, after telling the host's own listener how many calls to expect. */
export function callScript(
  connections: readonly Connection[],
  reports: ReadonlyMap<string, HostReport>,
  own: HostReport,
): Command {
  const calls = connectionsFrom(connections, own).map((connection, index) => {
    const by = answeredBy(connection, reports);
    const { to, protocol, port } = connection;
    return (
      by && sh`call ${index} ${protocol} ${to.internalAddresses[0]} ${port} ${by === 'listener' ? to.name : ''} &`.text
    );
  });
  const expected = connections.filter(
    (each) => each.to.name === own.host.name && answeredBy(each, reports) === 'listener',
  );
  const control = own.probe.listener?.control;
  const end =
    control === undefined
      ? ''
      : sh`timeout 2 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0" && printf "end %s\n" "$1" >&3' ${control} ${expected.length}`
          .text;
  return { text: [CALL, end, ...calls.filter(Boolean), 'wait; exit 0'].join('\n'), display: 'call the other hosts' };
}

const CALL = String.raw`exec 2>/dev/null
call() {
  said=$(timeout 8 bash -c 'exec 3<>"/dev/$0/$1/$2" || exit 1
if [ "$0" = udp ]; then
  for again in 1 2 3; do printf x >&3; timeout 2 dd bs=512 count=1 <&3 2>/dev/null && exit 0; done; exit 124
fi
[ -z "$3" ] || dd bs=512 count=1 <&3 2>/dev/null' "$2" "$3" "$4" "$5" 2>&1)
  printf '%s %s %s\n' "$1" $? "$(printf %s "$said" | tr '\n' ' ')"
}`;

/** Parses the output of the script; connections that were not tried are left out. */
export function parseAttempts(
  text: string,
  connections: readonly Connection[],
  reports: ReadonlyMap<string, HostReport>,
  own: HostReport,
): readonly Attempt[] {
  const ownConnections = connectionsFrom(connections, own);
  return [...text.matchAll(/^(\d+) (\d+) ?(.*)$/gm)].flatMap(([, index, exit, output = '']) => {
    const connection = ownConnections[Number(index)];
    if (!connection) return [];
    const expected = answeredBy(connection, reports) === 'listener' ? connection.to.name : undefined;
    return [{ ...connection, ...outcomeOf(Number(exit), output.trim(), expected) }];
  });
}

const connectionsFrom = (connections: readonly Connection[], { host }: HostReport) =>
  connections.filter(({ from }) => from.name === host.name);

function outcomeOf(exit: number, output: string, expected: string | undefined): Pick<Attempt, 'outcome' | 'detail'> {
  if (exit === 124) return { outcome: 'timed-out', detail: 'no response within 8 s' };
  if (exit !== 0) return { outcome: 'failed', detail: reasonIn(output) };
  if (expected === undefined || output === `kubexm ${expected}`) return { outcome: 'reached', detail: output };
  return { outcome: 'another-host', detail: output };
}

/** The reason without the prefixes of bash, which prints it twice. */
const reasonIn = (output: string) => /: ([A-Z][A-Za-z ]+?)\s*(?:bash:|$)/.exec(output)?.[1] ?? output;

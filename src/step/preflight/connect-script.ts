import { sh, type Command } from '../../runner/command.ts';
import type { HostReport } from './check.ts';
import { answeredBy, type Attempt, type Connection } from './connectivity/connections.ts';

/** Calls other hosts, all at once, and tells the host's own listener how many calls to wait for. */
export function connectScript(
  connections: readonly Connection[],
  reports: ReadonlyMap<string, HostReport>,
  own: HostReport,
): Command {
  const mine = connectionsFrom(connections, own);
  const calls = mine.map((connection, place) => {
    const by = answeredBy(connection, reports);
    const { to, protocol, port } = connection;
    return (
      by && sh`call ${place} ${protocol} ${to.internalAddresses[0]} ${port} ${by === 'listener' ? to.name : ''} &`.text
    );
  });
  const coming = connections.filter(
    (each) => each.to.name === own.host.name && answeredBy(each, reports) === 'listener',
  );
  const control = own.probe.listener?.control;
  const end =
    control === undefined
      ? ''
      : sh`timeout 2 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0" && printf "end %s\n" "$1" >&3' ${control} ${coming.length}`
          .text;
  // The listener hears first whom to wait for, so that it ends with the last of them.
  return { text: [CALL, end, ...calls.filter(Boolean), 'wait; exit 0'].join('\n'), display: 'reach the other hosts' };
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

/** Reads what the script printed; what was not tried is left out. */
export function parseAttempts(
  text: string,
  connections: readonly Connection[],
  reports: ReadonlyMap<string, HostReport>,
  own: HostReport,
): readonly Attempt[] {
  const mine = connectionsFrom(connections, own);
  return [...text.matchAll(/^(\d+) (\d+) ?(.*)$/gm)].flatMap(([, place, exit, said = '']) => {
    const connection = mine[Number(place)];
    if (!connection) return [];
    const expected = answeredBy(connection, reports) === 'listener' ? connection.to.name : undefined;
    return [{ ...connection, ...outcomeOf(Number(exit), said.trim(), expected) }];
  });
}

const connectionsFrom = (connections: readonly Connection[], { host }: HostReport) =>
  connections.filter(({ from }) => from.name === host.name);

function outcomeOf(exit: number, said: string, expected: string | undefined): Pick<Attempt, 'outcome' | 'said'> {
  if (exit === 124) return { outcome: 'timed-out', said: 'no answer in 8 s' };
  if (exit !== 0) return { outcome: 'failed', said: reasonIn(said) };
  if (expected === undefined || said === `kubexm ${expected}`) return { outcome: 'reached', said };
  return { outcome: 'another-host', said };
}

/** bash says it twice, and where. */
const reasonIn = (said: string) => /: ([A-Z][A-Za-z ]+?)\s*(?:bash:|$)/.exec(said)?.[1] ?? said;

/** The problem in the output of `etcdctl endpoint health -w json` for one endpoint; undefined if it is healthy. */
export function healthProblem(text: string): string | undefined {
  const answer = parsed(text);
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined;
  if (typeof first !== 'object' || first === null) return 'does not respond';
  if ('health' in first && first.health === true) return undefined;
  return 'error' in first && typeof first.error === 'string' && first.error !== '' ? first.error : 'is not healthy';
}

/** The endpoints that are healthy in the output of `etcdctl endpoint health -w json`. */
export function healthyEndpoints(text: string): ReadonlySet<string> {
  const answer = parsed(text);
  const endpoints: readonly unknown[] = Array.isArray(answer) ? answer : [];
  return new Set(
    endpoints.flatMap((each) =>
      typeof each === 'object' && each !== null && 'health' in each && each.health === true && 'endpoint' in each
        ? [String(each.endpoint)]
        : [],
    ),
  );
}

/** The problem in the response of the /health endpoint; undefined if it is healthy. */
export function endpointProblem(text: string): string | undefined {
  const answer = parsed(text);
  if (typeof answer !== 'object' || answer === null || !('health' in answer)) return 'does not respond like etcd';
  if (answer.health === 'true' || answer.health === true) return undefined;
  return 'reason' in answer && typeof answer.reason === 'string' && answer.reason !== ''
    ? answer.reason
    : 'is not healthy';
}

/** The reasons why a host is not a voting member, from the output of `etcdctl member list -w json`. */
export function membershipProblems(text: string, name: string): readonly string[] {
  const answer = parsed(text);
  const members: readonly unknown[] =
    typeof answer === 'object' && answer !== null && 'members' in answer && Array.isArray(answer.members)
      ? answer.members
      : [];
  if (members.length === 0) return ['the member list is not available'];
  const own = members.find(
    (member) => typeof member === 'object' && member !== null && 'name' in member && member.name === name,
  );
  if (typeof own !== 'object' || own === null) return [`${name} is not a member`];
  return 'isLearner' in own && own.isLearner === true ? ['is still a learner'] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
